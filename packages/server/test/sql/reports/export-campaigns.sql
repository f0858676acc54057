-- POST /exports/stream {"date_from":"2026-11-19","date_to":"2026-11-21","export_type":"campaigns"}

-- reads by_source
-- site = "shop"
-- start = "2026-11-19"
-- end = "2026-11-21"
-- setting preferred_optimize_projection_name = "by_source"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
SELECT count() AS total
FROM (
SELECT utm_campaign,
	sum(entrance) AS entrances,
	sum(engaged) AS engaged_entrances,
	sum(page_view) AS page_views,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
GROUP BY utm_campaign
HAVING entrances != 0 OR engaged_entrances != 0 OR page_views != 0 OR conversions != 0 OR revenue != 0
ORDER BY utm_campaign
);

-- reads by_source
-- site = "shop"
-- start = "2026-11-19"
-- end = "2026-11-21"
-- setting preferred_optimize_projection_name = "by_source"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
-- setting max_execution_time = 3600
-- setting output_format_json_escape_forward_slashes = 0
-- setting output_format_parquet_row_group_size = 100000
WITH (text) -> if(substring(text, 1, 1) IN ('=', '+', '-', '@', '\t', '\r'), concat('\'', text), text) AS harmless,
	(text) -> concat('"', replaceAll(text, '"', '""'), '"') AS quoted,
	(text) -> if(match(text, '[",\r\n]'), quoted(text), text) AS cell
SELECT concat(cell(harmless(utm_campaign)),
	',', toString(entrances),
	',', toString(engaged_entrances),
	',', toString(page_views),
	',', toString(conversions),
	',', toString(revenue),
	',', toString(if(entrances = 0, 0, sign((toInt64(entrances) - toInt64(engaged_entrances))) * intDiv(abs((toInt64(entrances) - toInt64(engaged_entrances))) * 20000 + entrances, entrances * 2) / 100)),
	'\r') AS line
FROM (
SELECT utm_campaign,
	sum(entrance) AS entrances,
	sum(engaged) AS engaged_entrances,
	sum(page_view) AS page_views,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
GROUP BY utm_campaign
HAVING entrances != 0 OR engaged_entrances != 0 OR page_views != 0 OR conversions != 0 OR revenue != 0
ORDER BY entrances DESC, utm_campaign ASC
)
ORDER BY entrances DESC, utm_campaign ASC;
