"""Counts the documents of a folder without gatewright: paths, methods and security, as the
formats define them. The figures are held against those of tools/corpus.

    python3 tools/corpus/count.py DIR
"""
import collections
import json
import os
import sys

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query", "x-amazon-apigateway-any-method")
LARGEST = 16 << 20

counts = collections.Counter()


def refuse_twice(pairs):
    names = [name for name, _ in pairs]
    if len(names) != len(set(names)):
        raise ValueError("a name comes twice")
    return dict(pairs)


def target(document, item):
    """The path item, with what a local reference adds to it."""
    reference = item.get("$ref", "")
    if not reference.startswith("#/"):
        return item
    at = document
    for token in reference[2:].split("/"):
        at = at[token.replace("~1", "/").replace("~0", "~")]
    return {**at, **item}


def count(document):
    for name, item in (document.get("paths") or {}).items():
        if name.startswith("x-"):
            continue
        counts["paths"] += 1
        for method, operation in target(document, item).items():
            if method not in METHODS:
                continue
            method = "ANY" if method.startswith("x-") else method.upper()
            counts["operations"] += 1
            counts["method " + method] += 1
            security = operation.get("security")
            if security is None:
                security = document.get("security") or []
            if any(security):
                counts["operations with schemes"] += 1
            if not security or {} in security:
                counts["operations without, or with {} among their security"] += 1


for folder, _, files in os.walk(sys.argv[1]):
    for file in files:
        path = os.path.join(folder, file)
        if not file.endswith(".json"):
            continue
        if os.path.getsize(path) > LARGEST:
            counts["larger than 16 MiB"] += 1
            continue
        with open(path, encoding="utf-8") as text:
            document = json.load(text, object_pairs_hook=refuse_twice)
        version = isinstance(document, dict) and (document.get("openapi") or document.get("swagger"))
        if not version:
            continue
        counts["version " + version[:3]] += 1
        count(document)

for name in sorted(counts):
    print(f"{name:<55} {counts[name]}")
