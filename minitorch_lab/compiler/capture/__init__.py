"""Ways from a Python function to a graph: from its bytecode, by a trace, from a script, and by defining it as one.

One more, new bytecode as TorchDynamo writes it, is taught and not used: `lessons/lesson_11_capture/rewriting`.
"""
