"""What runs inside the sandbox, beside the student's cells. Everything it says is only a claim."""
