import os

import pytest

from mcbench.files import write_atomic


def test_a_file_is_readable_as_the_umask_says_and_leaves_nothing_beside(tmp_path):
    old = os.umask(0o027)
    try:
        write_atomic(tmp_path / "a.txt", "text")
    finally:
        os.umask(old)
    assert (tmp_path / "a.txt").stat().st_mode & 0o777 == 0o640
    with pytest.raises(UnicodeEncodeError):
        write_atomic(tmp_path / "a.txt", "\ud800")
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]
    assert (tmp_path / "a.txt").read_text() == "text"
