"""The Python twin of driver.js."""

import importlib.util
import json
import os
import sys
import traceback

loaded = {}


def handler_in(folder):
    if folder not in loaded:
        file = os.path.join(folder, "src", "index.py")
        spec = importlib.util.spec_from_file_location("index", file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        loaded[folder] = module.handler
    return loaded[folder]


for line in sys.stdin:
    call = json.loads(line)
    outcomes = []
    for event in call["events"]:
        try:
            outcomes.append({"result": handler_in(call["folder"])(event, None)})
        except Exception:
            outcomes.append({"error": traceback.format_exc()})
    print(json.dumps(outcomes), flush=True)
