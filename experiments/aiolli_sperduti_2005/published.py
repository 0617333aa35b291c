"""The numbers of the paper, all seen in print; errors in per cent."""

TRUST = "S: seen in print"

#: Table 1, nist: prototypes per class -> (LVQ2.1, MProtSVM).
TABLE1 = {1: (7.43, 6.45), 5: (4.68, 3.63), 10: (4.35, 3.28), 15: (3.52, 2.80)}

#: Table 2: data set -> prototypes per class -> error.
TABLE2 = {
    "usps": {1: 8.12, 3: 6.13, 5: 5.83, 10: 5.48, 15: 5.23, 20: 5.00},
    "letter": {1: 21.36, 3: 9.64, 5: 6.42, 10: 4.84, 15: 3.16, 20: 2.94},
}

#: Training and test examples of these.
SIZES = {"usps": (7291, 2007), "letter": (15000, 5000)}

#: The text of section 8: (data set, split, machine) -> error.
REFERENCES = {
    ("usps", "7291/2007", "polynomial of degree 3"): 4.63,
    ("usps", "7291/2007", "nearest neighbour"): 5.63,
    ("letter", "15000/5000", "nearest neighbour"): 4.34,
    ("letter", "16000/4000", "RBF kernel"): 1.95,
}

#: Table 3: data set -> (vectors of the SVM, of the RVM, error of the SVM, of the RVM), which the
#: paper quotes from Tipping (2001).
QUOTED = {
    "ida_banana": (135.2, 11.4, 10.9, 10.8),
    "ida_breast_cancer": (116.7, 6.3, 26.9, 29.9),
    "ida_german": (411.2, 12.5, 22.6, 22.2),
    "ida_image": (166.6, 34.6, 3.0, 3.9),
    "ida_titanic": (93.7, 65.3, 22.1, 23.0),
    "ida_waveform": (146.4, 14.6, 10.3, 10.9),
}

#: Table 3: data set -> prototypes per class -> error of MProtSVM.
TABLE3 = {
    "ida_banana": {1: 46.0, 3: 12.8, 5: 11.0, 10: 11.0},
    "ida_breast_cancer": {1: 28.2, 3: 26.9, 5: 27.5, 10: 27.0},
    "ida_german": {1: 23.6, 3: 23.8, 5: 23.5, 10: 23.7},
    "ida_image": {1: 15.0, 3: 3.2, 5: 2.7, 10: 2.5},
    "ida_titanic": {1: 22.5, 3: 22.2, 5: 22.2, 10: 22.2},
    "ida_waveform": {1: 13.3, 3: 10.8, 5: 10.0, 10: 10.2},
}

#: Table 3: the prototypes per class that the paper's validation chose (its brackets).
CHOSEN = {
    "ida_banana": 5,
    "ida_breast_cancer": 10,
    "ida_german": 1,
    "ida_image": 10,
    "ida_titanic": 1,
    "ida_waveform": 10,
}

#: Table 5, usps: (prototypes per class, tau) -> (primal, error).
TABLE5 = {
    (3, 0.2): (7.44626, 6.33),
    (3, 0.1): (7.28049, 6.03),
    (3, 0.05): (7.08138, 6.13),
    (3, 0.03): (7.04274, 6.48),
    (5, 0.2): (7.49136, 6.08),
    (5, 0.1): (7.27318, 5.63),
    (5, 0.05): (7.10498, 5.83),
    (5, 0.03): (7.00946, 5.58),
    (10, 0.2): (7.82233, 5.58),
    (10, 0.1): (7.51780, 5.88),
    (10, 0.05): (7.27596, 5.48),
    (10, 0.03): (7.12517, 5.23),
    (15, 0.2): (7.82222, 5.33),
    (15, 0.1): (7.57009, 5.73),
    (15, 0.05): (7.38722, 5.33),
    (15, 0.03): (7.22250, 5.53),
    (20, 0.2): (7.78410, 5.48),
    (20, 0.1): (7.79388, 5.72),
    (20, 0.05): (7.49125, 5.38),
    (20, 0.03): (7.21303, 5.53),
}
