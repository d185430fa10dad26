"""What the numbers over many games say: statistics, and the reports that are made of them."""
