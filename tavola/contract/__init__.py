"""What every game promises, and the checks that hold it to that: `tavola check GAME`."""
