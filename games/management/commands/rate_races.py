from typing import Any

from django.core.management.base import BaseCommand

from games.races.ratings import rate_all_again


class Command(BaseCommand):
    help = "Compute all ratings from races again, from the results of the races in the order of their ends."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"Rated {rate_all_again()} races.")
