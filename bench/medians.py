"""Times of launches on a GPU, for the scripts of this folder."""
import statistics

import torch


def median(launch, count=15):
    """Returns the median of so many launches, each timed by itself, in ms."""
    for _ in range(3):
        launch()
    times = []
    for _ in range(count):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        launch()
        end.record()
        torch.cuda.synchronize()
        times.append(begin.elapsed_time(end))
    return statistics.median(times)
