"""What a computation costs: operations counted while it runs, and the laws that say what time and memory follow."""

from .continuum import Strategy, break_even, cheapest, compilation_benefit, crossovers, measure_continuum
from .dispatch import dispatch_speedup, dispatch_tax, measure_dispatch, overhead_ratio
from .figures import plot_continuum, plot_dispatch_tax, plot_ladder, plot_roofline, plot_training_memory
from .flops import FlopCounter, count_flops
from .loading import batches_in_flight, loader_bandwidth, measure_loader, step_time, workers_needed
from .machine import A100, A100_FLOAT32, Machine, measure_machine
from .roofline import Point, attainable, bound_by, measure_point, roofline_points
from .terms import Demand, Terms, demand_of, iron_law, saved_terms
from .training import TrainingMemory, measure_training_memory, stored_activations, training_memory
from .transfer import LADDER, measure_ladder, missed_work, overlapped_time, transfer_time
from .vectors import vector_steps

__all__ = [
    "A100", "A100_FLOAT32", "LADDER", "Demand", "FlopCounter", "Machine", "Point", "Strategy", "Terms",
    "TrainingMemory", "attainable", "batches_in_flight", "bound_by", "break_even", "cheapest", "compilation_benefit",
    "count_flops", "crossovers", "demand_of", "dispatch_speedup", "dispatch_tax", "iron_law", "loader_bandwidth",
    "measure_continuum", "measure_dispatch", "measure_ladder", "measure_loader", "measure_machine", "measure_point",
    "measure_training_memory", "missed_work", "overhead_ratio", "overlapped_time", "plot_continuum",
    "plot_dispatch_tax", "plot_ladder", "plot_roofline", "plot_training_memory", "roofline_points", "saved_terms",
    "step_time", "stored_activations", "training_memory", "transfer_time", "vector_steps", "workers_needed",
]  # fmt: skip
