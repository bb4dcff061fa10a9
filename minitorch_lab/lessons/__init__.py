"""What the notebooks of the course lean on: one module per lesson. Import the one you need."""
