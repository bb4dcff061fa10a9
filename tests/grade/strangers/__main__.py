"""Ask judge and check about all answers of strangers."""

import sys

from minitorch_lab.grade.release import judged_lessons
from tests.grade.strangers import mistaken, strangers

names = [name for name in judged_lessons() if not sys.argv[1:] or {name, name[:2]} & {*sys.argv[1:]}]
every = [stranger for name in names for stranger in strangers(name)]
wrong = [(stranger, said) for stranger in every if (said := mistaken(stranger))]
for (lesson, exercise, number, right, _), said in wrong:
    print(f"{lesson} {exercise} {'right' if right else 'wrong'} {number}: {said}")
print(
    f"{sum(s.right for s in every)} right answers, {sum(not s.right for s in every)} wrong ones, {len(wrong)} mistaken"
)
sys.exit(bool(wrong))
