from typing import Any

from games.doors.commands import LightCommand, at_work
from games.races.ratings import rate_all_again


class Command(LightCommand):
    help = "Compute all ratings from races again, from the results of the races in the order of their ends."

    def handle(self, *args: Any, **options: Any) -> None:
        with at_work(self.stderr, "Rating all races"):
            rated = rate_all_again()
        self.stdout.write(f"Rated {rated} races.")
