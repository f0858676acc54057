-- POST /exports/stream {"date_from":"2026-11-19","date_to":"2026-11-21","export_type":"landing_pages","format":"parquet"}

-- reads by_landing
-- site = "shop"
-- start = "2026-11-19"
-- end = "2026-11-21"
-- setting preferred_optimize_projection_name = "by_landing"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
SELECT count() AS total
FROM (
SELECT landing_path AS landing_page,
	landing_group AS landing_content_grouping,
	sum(entrance) AS entrances,
	sum(engaged) AS engaged_entrances,
	sum(microconversion) AS microconversions,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
GROUP BY landing_page, landing_content_grouping
HAVING entrances != 0 OR engaged_entrances != 0 OR microconversions != 0 OR conversions != 0 OR revenue != 0
ORDER BY landing_page, landing_content_grouping
);

-- reads by_landing
-- site = "shop"
-- start = "2026-11-19"
-- end = "2026-11-21"
-- setting preferred_optimize_projection_name = "by_landing"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
-- setting max_execution_time = 3600
-- setting output_format_json_escape_forward_slashes = 0
-- setting output_format_parquet_row_group_size = 100000
SELECT CAST(landing_page, 'String') AS landing_page,
	CAST(landing_content_grouping, 'String') AS content_grouping,
	entrances AS entrances,
	engaged_entrances AS engaged_entrances,
	if(entrances = 0, 0, sign((toInt64(entrances) - toInt64(engaged_entrances))) * intDiv(abs((toInt64(entrances) - toInt64(engaged_entrances))) * 20000 + entrances, entrances * 2) / 100) AS bounce_rate,
	microconversions AS microconversions,
	conversions AS conversions,
	least(100, if(entrances = 0, 0, sign(toInt64(conversions)) * intDiv(abs(toInt64(conversions)) * 20000 + entrances, entrances * 2) / 100)) AS conversion_rate,
	revenue AS revenue
FROM (
SELECT landing_path AS landing_page,
	landing_group AS landing_content_grouping,
	sum(entrance) AS entrances,
	sum(engaged) AS engaged_entrances,
	sum(microconversion) AS microconversions,
	sum(conversion) AS conversions,
	sum(events.revenue) AS revenue
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
GROUP BY landing_page, landing_content_grouping
HAVING entrances != 0 OR engaged_entrances != 0 OR microconversions != 0 OR conversions != 0 OR revenue != 0
ORDER BY entrances DESC, landing_page ASC, landing_content_grouping ASC
)
ORDER BY entrances DESC, landing_page ASC, landing_content_grouping ASC;
