-- POST /exports/stream {"date_from":"2026-11-19","date_to":"2026-11-21","export_type":"landing_pages"}

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
WITH (text) -> if(substring(text, 1, 1) IN ('=', '+', '-', '@', '\t', '\r'), concat('\'', text), text) AS harmless,
	(path) -> arrayStringConcat(arrayMap(part -> if(startsWith(part, '%') AND length(part) > 1 AND isValidUTF8(unhex(replaceAll(part, '%', ''))), unhex(replaceAll(part, '%', '')), part), extractAll(path, '(?:%[89A-F][0-9A-F])+|[^%]+|%'))) AS readable,
	(text) -> concat('"', replaceAll(text, '"', '""'), '"') AS quoted,
	(text) -> if(match(text, '[",\r\n]'), quoted(text), text) AS cell
SELECT concat(cell(harmless(readable(landing_page))),
	',', cell(harmless(landing_content_grouping)),
	',', toString(entrances),
	',', toString(engaged_entrances),
	',', toString(if(entrances = 0, 0, sign((toInt64(entrances) - toInt64(engaged_entrances))) * intDiv(abs((toInt64(entrances) - toInt64(engaged_entrances))) * 20000 + entrances, entrances * 2) / 100)),
	',', toString(microconversions),
	',', toString(conversions),
	',', toString(least(100, if(entrances = 0, 0, sign(toInt64(conversions)) * intDiv(abs(toInt64(conversions)) * 20000 + entrances, entrances * 2) / 100))),
	',', toString(revenue),
	'\r') AS line
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
