-- POST /stats/query {"date_from":"2026-10-22","date_to":"2026-11-20","granularity":"hourly","dimensions":["day_of_week","country"],"metrics":["page_views"],"compare":"yoy"}

-- reads events
-- site = "shop"
-- setting optimize_use_projections = 0
SELECT toString(date) AS day
FROM events
WHERE site = {site:String}
ORDER BY site, date, hour, ts
LIMIT 1;

-- reads events
-- site = "shop"
-- start = "2026-10-22"
-- end = "2026-11-20"
-- limit = 100
-- offset = 0
-- setting optimize_use_projections = 0
SELECT date,
	hour,
	toDayOfWeek(date) AS day_of_week,
	country,
	sum(page_view) AS page_views,
	count() OVER () AS total_rows
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
GROUP BY date, hour, day_of_week, country
HAVING page_views != 0
ORDER BY page_views DESC, date ASC, hour ASC, day_of_week ASC, country ASC
LIMIT {limit:UInt64} OFFSET {offset:UInt64};

-- reads events
-- site = "shop"
-- start = "2025-10-22"
-- end = "2025-11-20"
-- limit = 100
-- offset = 0
-- setting optimize_use_projections = 0
SELECT date,
	hour,
	toDayOfWeek(date) AS day_of_week,
	country,
	sum(page_view) AS page_views,
	count() OVER () AS total_rows
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
GROUP BY date, hour, day_of_week, country
HAVING page_views != 0
ORDER BY page_views DESC, date ASC, hour ASC, day_of_week ASC, country ASC
LIMIT {limit:UInt64} OFFSET {offset:UInt64};
