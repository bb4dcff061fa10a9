"""What the notebooks of the course lean on: a folder for each lesson, under its number, and what several of them share.

`lesson_11_capture` is what notebook 11 imports: its checks, and what stands in no other room because only this lesson
needs it, such as TorchDynamo's way of capturing, `rewriting`. The other two ways that nobody takes for speed stand with
the compiler, for they are public: define-then-run (`ml.static`) and scripting (`ml.jit.script`).
"""
