-- POST /stats/explain {"date_from":"2026-10-22","date_to":"2026-11-20","metric":"revenue","compare":"yoy","filters":{"country":["es"]},"dimensions":["utm_source","path"]}

-- reads events
-- site = "shop"
-- start = "2026-10-22"
-- end = "2026-11-20"
-- earlier_start = "2025-10-22"
-- earlier_end = "2025-11-20"
-- f5 = ["ES"]
-- setting optimize_use_projections = 0
SELECT part,
	value,
	sumIf(parts.revenue, is_current) AS current,
	sumIf(parts.revenue, is_earlier) AS earlier,
	current - earlier AS change,
	sum(abs(change)) OVER (PARTITION BY part) AS moved
FROM (
SELECT date >= {start:Date} AS is_current,
	date <= {earlier_end:Date} AS is_earlier,
	multiIf(grouping(utm_source) = 0, 'utm_source', grouping(path) = 0, 'path', 'total') AS part,
	concat('', utm_source, path) AS value,
	sum(events.revenue) AS revenue
FROM events
WHERE site = {site:String}
	AND date BETWEEN {earlier_start:Date} AND {end:Date}
	AND (date <= {earlier_end:Date} OR date >= {start:Date})
	AND country IN {f5:Array(String)}
	AND (events.revenue != 0)
GROUP BY GROUPING SETS ((is_current, is_earlier), (is_current, is_earlier, utm_source), (is_current, is_earlier, path))
) AS parts
GROUP BY part, value
HAVING current != 0 OR earlier != 0
ORDER BY abs(change) DESC, value
LIMIT 10 BY part;

-- reads events
-- site = "shop"
-- setting optimize_use_projections = 0
SELECT toString(date) AS day
FROM events
WHERE site = {site:String}
ORDER BY site, date, hour, ts
LIMIT 1;
