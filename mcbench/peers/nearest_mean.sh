#!/bin/sh
# nearest_mean.sh TRAIN TEST PREDICTIONS: the nearest mean of a class decides. Files are CSV under a
# line of names, the label first; the predictions are one label a line.
awk -F, '
    FNR == 1 { file++; next }
    file == 1 {
        count[$1]++
        for (j = 2; j <= NF; j++) sum[$1, j] += $j
    }
    file == 2 {
        best = ""
        for (label in count) {
            distance = 0
            for (j = 2; j <= NF; j++) {
                difference = $j - sum[label, j] / count[label]
                distance += difference * difference
            }
            if (best == "" || distance < least || (distance == least && label + 0 < best + 0)) {
                best = label
                least = distance
            }
        }
        print best
    }
' "$1" "$2" > "$3"
