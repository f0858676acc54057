-- When sites were first visited

-- reads by_day
-- sites = ["shop","none"]
-- setting preferred_optimize_projection_name = "by_day"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
SELECT site, min(parts.date) AS day
FROM (
SELECT site, date, sum(page_view) AS page_views
FROM events
WHERE site IN {sites:Array(String)}
GROUP BY site, date
) AS parts
GROUP BY site;

-- reads events
-- sites = ["shop"]
-- days = ["2026-11-20"]
-- setting optimize_use_projections = 0
SELECT site, toUnixTimestamp64Milli(min(ts)) AS first
FROM events
WHERE site IN {sites:Array(String)}
	AND date IN {days:Array(Date)}
GROUP BY site;
