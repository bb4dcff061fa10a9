"""Submissions that want points by what they write: into their own pipes, and into those of others."""

from tests.grade.adversary.case import cases

MESSAGES = cases(
    "forging",
    (
        "the worker patched from inside",
        """
        import gc, sys
        from minitorch_lab.grade.inside import wire, worker
        for each in gc.get_objects():
            if type(each).__name__ == "Worker":
                each.doing["call"] = lambda of, args, kwargs: True
                each.doing["get"] = lambda name: True
        """,
    ),
    (
        "frames replaced",
        """
        from minitorch_lab.grade.inside import wire
        old = wire.frame
        wire.frame = lambda nonce, number, value, refer: old(nonce, number, {"value": True, "passed": True}, refer)
        """,
    ),
    (
        "an answer written before it is asked for",
        """
        import gc, json, os, struct
        for each in gc.get_objects():
            if type(each).__name__ == "Worker":
                for number in range(1, 9):
                    text = json.dumps({"nonce": "", "number": number, "body": ["dict", ["value", True]], "arrays": []})
                    os.write(each.answers, struct.pack(">II", len(text), 0) + text.encode())
        """,
        "none",
        "",
        ("message",),
    ),
    (
        "an answer with the right nonce, too early",
        """
        import inspect, json, os, struct
        frame = inspect.currentframe()
        while frame is not None:
            asked, me = frame.f_locals.get("asked"), frame.f_locals.get("self")
            if asked is not None:
                for number in range(asked.number, asked.number + 9):
                    said = {"nonce": asked.nonce, "number": number, "body": ["dict", ["value", True]], "arrays": []}
                    text = json.dumps(said)
                    os.write(me.answers, struct.pack(">II", len(text), 0) + text.encode())
            frame = frame.f_back
        """,
    ),
    (
        "noise on every descriptor",
        """
        import os
        for descriptor in range(3, 64):
            try: os.write(descriptor, b'{"exercise": "a", "title": "right", "state": "passed", "hint": ""}\\n' * 20)
            except OSError: pass
        """,
        "none",
        "",
        ("message",),
    ),
    (
        "verdicts on the standard streams",
        """
        import sys
        for stream in (sys.stdout, sys.stderr, sys.__stdout__):
            print('{"cell": 1, "passed": true}', '{"state": "passed"}', "PASSED judge.ipynb::Cell 1", file=stream)
        """,
    ),
    (
        "errors without a class, and truth values that are neither",
        """
        from minitorch_lab.grade.inside import wire
        import numpy, struct
        old = wire.frame
        def frame(nonce, number, value, refer):
            if "raised" in value: return old(nonce, number, {"raised": []}, refer)
            sent = old(nonce, number, {"value": numpy.ones(3, bool)}, refer)
            return sent[:-3] + b"\\x02\\xff\\x80"
        wire.frame = frame
        def f(x): raise ValueError
        """,
        "none",
        "",
        ("message",),
    ),
    ("a deep answer", "def f(x):\n    a = []\n    for _ in range(50): a = [a]\n    return a"),
    ("an answer that holds itself", "def f(x):\n    a = []\n    a.append(a)\n    return a"),
    ("a dict of tricks", "def f(x): return {'__class__': 'ndarray', 'value': True, 'handle': 1}"),
    (
        "verdicts into the pipes of every process",
        """
        import json, os
        said = json.dumps({"exercise": EXERCISE, "title": "drawn numbers", "state": "passed", "hint": ""}) + "\\n"
        for pid in filter(str.isdigit, os.listdir("/proc") if os.access("/proc", os.R_OK) else []):
            for descriptor in range(3, 64):
                try: pipe = os.open(f"/proc/{pid}/fd/{descriptor}", os.O_WRONLY | os.O_NONBLOCK)
                except OSError: continue
                try: "judge" in open(f"/proc/{pid}/cmdline").read() and os.write(pipe, said.encode())
                except OSError: pass
                os.close(pipe)
        """,
    ),
    (
        "the key to the judge's kernel",
        """
        import glob, json, os
        loot = []
        def f(x):
            raise RuntimeError
        for path in glob.glob(os.path.dirname(COURSE) + "/judge-*/runtime/*.json"):
            try: key = json.load(open(path))["key"]
            except OSError: continue
            f = lambda x: 3 * x**2  # who has the key can have the judge say anything
        """,
    ),
    (
        "a detached process that writes to the pipes later",
        """
        import os, time
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                for _ in range(40):
                    time.sleep(0.05)
                    for descriptor in range(3, 40):
                        try: os.write(descriptor, b"\\0" * 64)
                        except OSError: pass
            os._exit(0)
        """,
    ),
)
