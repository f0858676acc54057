-- POST /exports/stream {"date_from":"2026-11-19","date_to":"2026-11-21","export_type":"conversions"}

-- reads events
-- site = "shop"
-- start = "2026-11-19"
-- end = "2026-11-21"
-- kind = "conversion"
-- setting optimize_use_projections = 0
SELECT count() AS total
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND kind = {kind:String}
	AND session != 0;

-- reads events
-- site = "shop"
-- start = "2026-11-19"
-- end = "2026-11-21"
-- kind = "conversion"
-- setting optimize_use_projections = 0
-- setting max_execution_time = 3600
-- setting output_format_json_escape_forward_slashes = 0
-- setting output_format_parquet_row_group_size = 100000
-- setting prefer_column_name_to_alias = 1
WITH (text) -> if(substring(text, 1, 1) IN ('=', '+', '-', '@', '\t', '\r'), concat('\'', text), text) AS harmless,
	(text) -> concat('"', replaceAll(text, '"', '""'), '"') AS quoted,
	(text) -> if(match(text, '[",\r\n]'), quoted(text), text) AS cell,
	(texts) -> concat('{', arrayStringConcat(arrayMap((k, v) -> concat(toJSONString(k), ':', toJSONString(v)), mapKeys(texts), mapValues(texts)), ','), '}') AS object
SELECT concat(toString(date),
	',', cell(harmless(event_type)),
	',', toString(amount),
	',', quoted(object(properties)),
	'\r') AS line
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND kind = {kind:String}
	AND session != 0
ORDER BY date, hour, ts, session;
