-- GET /stats/properties/keys?period=30d

-- reads events
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- setting optimize_use_projections = 0
SELECT key,
	sum(conversion) AS conversions_count,
	sum(microconversion) AS microconversions_count,
	conversions_count + microconversions_count AS total_count
FROM events
ARRAY JOIN mapKeys(properties) AS key
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND kind IN ('conversion', 'microconversion')
GROUP BY key
HAVING total_count != 0
ORDER BY total_count DESC, key
LIMIT 10000;
