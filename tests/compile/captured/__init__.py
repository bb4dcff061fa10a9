"""Programs that capture must not change: each takes `compile` and yields what it observes."""
