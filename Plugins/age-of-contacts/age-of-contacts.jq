# One row {"birthday":"1996-04-15","year":2026} a line; birthdays without a year are left out.
[., inputs] | map(select(. != null) | .year - (.birthday | capture("^(?<year>[0-9]{4})").year | tonumber) | select(. >= 0 and . <= 130))
| {contacts: length, mean: (if length > 0 then add / length else null end), youngest: min, oldest: max}
