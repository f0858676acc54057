-- suspicious-sessions

-- reads events
-- site = "shop"
-- since = 1794657600000
-- day = "2026-11-13"
-- min_score = 50
-- limit = 20
-- setting optimize_use_projections = 0
WITH top AS (
	SELECT session
	FROM (
		SELECT session, bot_score AS score FROM events WHERE site = {site:String} AND date >= {day:Date} AND ts >= fromUnixTimestamp64Milli({since:Int64}, 'UTC') AND kind IN ('pageview', 'conversion', 'microconversion') AND import_id = '' AND bot_score > {min_score:UInt8}
		UNION ALL
		SELECT session, score FROM bot_hits WHERE site = {site:String} AND date >= {day:Date} AND ts >= fromUnixTimestamp64Milli({since:Int64}, 'UTC') AND counted = 0 AND score > {min_score:UInt8}
	)
	GROUP BY session
	ORDER BY max(score) DESC, toString(session)
	LIMIT {limit:UInt64}
)
SELECT toString(session) AS session_id,
	max(score) AS max_score,
	groupBitOr(flags) AS flags,
	sum(hits) AS hit_count,
	toUnixTimestamp64Milli(min(first_ts)) AS first_seen,
	toUnixTimestamp64Milli(max(last_ts)) AS last_seen,
	max(agent) AS user_agent,
	argMax(place, (last_ts, hits)) AS country
FROM (
	SELECT session, bot_score AS score, bot_flags AS flags, 1 AS hits, ts AS first_ts, ts AS last_ts,
		'' AS agent, toString(country) AS place
	FROM events WHERE site = {site:String} AND date >= {day:Date} AND ts >= fromUnixTimestamp64Milli({since:Int64}, 'UTC') AND kind IN ('pageview', 'conversion', 'microconversion') AND import_id = ''
	UNION ALL
	SELECT session, score, flags, if(counted = 1, 0, hits) AS hits, first_ts, ts AS last_ts,
		user_agent AS agent, toString(country) AS place
	FROM bot_hits WHERE site = {site:String} AND date >= {day:Date} AND ts >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
)
WHERE session GLOBAL IN (SELECT session FROM top)
GROUP BY session
ORDER BY max_score DESC, session_id;
