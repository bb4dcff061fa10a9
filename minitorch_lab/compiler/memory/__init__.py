"""Who needs which bytes, from when to when, and where in one arena they lie."""
