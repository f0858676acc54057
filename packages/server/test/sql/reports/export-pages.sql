-- POST /exports/stream {"date_from":"2026-11-19","date_to":"2026-11-21","export_type":"pages"}

-- reads by_page
-- site = "shop"
-- start = "2026-11-19"
-- end = "2026-11-21"
-- setting preferred_optimize_projection_name = "by_page"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
SELECT count() AS total
FROM (
SELECT path,
	content_group AS content_grouping,
	sum(page_view) AS page_views,
	sum(entrance) AS entrances,
	sum(engaged) AS engaged_entrances
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
GROUP BY path, content_grouping
HAVING page_views != 0 OR entrances != 0 OR engaged_entrances != 0
ORDER BY path, content_grouping
);

-- reads by_page
-- site = "shop"
-- start = "2026-11-19"
-- end = "2026-11-21"
-- setting preferred_optimize_projection_name = "by_page"
-- setting optimize_use_implicit_projections = 0
-- setting max_threads = 1
-- setting max_execution_time = 3600
-- setting output_format_json_escape_forward_slashes = 0
-- setting output_format_parquet_row_group_size = 100000
WITH (text) -> if(substring(text, 1, 1) IN ('=', '+', '-', '@', '\t', '\r'), concat('\'', text), text) AS harmless,
	(path) -> arrayStringConcat(arrayMap(part -> if(startsWith(part, '%') AND length(part) > 1 AND isValidUTF8(unhex(replaceAll(part, '%', ''))), unhex(replaceAll(part, '%', '')), part), extractAll(path, '(?:%[89A-F][0-9A-F])+|[^%]+|%'))) AS readable,
	(text) -> concat('"', replaceAll(text, '"', '""'), '"') AS quoted,
	(text) -> if(match(text, '[",\r\n]'), quoted(text), text) AS cell
SELECT concat(cell(harmless(readable(path))),
	',', cell(harmless(content_grouping)),
	',', toString(page_views),
	',', toString(entrances),
	',', toString(engaged_entrances),
	'\r') AS line
FROM (
SELECT path,
	content_group AS content_grouping,
	sum(page_view) AS page_views,
	sum(entrance) AS entrances,
	sum(engaged) AS engaged_entrances
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
GROUP BY path, content_grouping
HAVING page_views != 0 OR entrances != 0 OR engaged_entrances != 0
ORDER BY page_views DESC, path ASC, content_grouping ASC
)
ORDER BY page_views DESC, path ASC, content_grouping ASC;
