"""Runs the Python of a page in one session: python page.py PAGE BLOCKS, in a folder with its data.

Each block of text below a block of Python is what that block prints.
"""
import contextlib
import io
import re
import sys

page = open(sys.argv[1], encoding="utf-8").read()
names = {}
blocks = re.findall(r"^```python\n(.*?)^```(?:\n\n^```text\n(.*?)^```)?", page, re.M | re.S)
assert len(blocks) >= int(sys.argv[2]), "the page has lost its code"
for code, shown in blocks:
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(code, sys.argv[1], "exec"), names)
    assert said.getvalue().strip() == shown.strip(), f"{code}\nprints\n{said.getvalue()}\nand not\n{shown}"
print(f"{len(blocks)} blocks ran")
