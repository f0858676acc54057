-- bot-overview

-- reads events
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- setting optimize_use_projections = 0
SELECT date,
	sumIf(hits, score BETWEEN 0 AND 0) AS score_0,
	sumIf(hits, score BETWEEN 1 AND 30) AS score_1_30,
	sumIf(hits, score BETWEEN 31 AND 60) AS score_31_60,
	sumIf(hits, score BETWEEN 61 AND 80) AS score_61_80,
	sumIf(hits, score BETWEEN 81 AND 100) AS score_81_100,
	sum(hits) AS total_hits,
	sum(score * hits) AS score_sum
FROM (
	SELECT date, bot_score AS score, 1 AS hits FROM events
	WHERE site = {site:String} AND date BETWEEN {start:Date} AND {end:Date} AND kind IN ('pageview', 'conversion', 'microconversion') AND import_id = ''
	UNION ALL
	SELECT date, score, hits FROM bot_hits
	WHERE site = {site:String} AND date BETWEEN {start:Date} AND {end:Date} AND counted = 0
)
GROUP BY date
ORDER BY date;

-- reads events
-- site = "shop"
-- start = "2026-10-23"
-- end = "2026-11-21"
-- setting optimize_use_projections = 0
SELECT flags, sum(hits) AS hits
FROM (
	SELECT bot_flags AS flags, 1 AS hits FROM events
	WHERE site = {site:String} AND date BETWEEN {start:Date} AND {end:Date} AND kind IN ('pageview', 'conversion', 'microconversion') AND import_id = '' AND bot_flags != 0
	UNION ALL
	SELECT flags, hits FROM bot_hits
	WHERE site = {site:String} AND date BETWEEN {start:Date} AND {end:Date} AND counted = 0 AND flags != 0
)
GROUP BY flags
ORDER BY flags;
