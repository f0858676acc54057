-- POST /stats/query {"date_from":"2026-10-22","date_to":"2026-11-20","dimensions":["path","referrer_domain"],"metrics":["page_views"],"filters":{"path_starts_with":"/p","content_grouping_not":"draft","conversion_type":["signup","lead"],"hour_not":3}}

-- reads nothing here
-- site = "shop"
-- start = "2026-10-22"
-- end = "2026-11-20"
-- around_start0 = "2026-10-21"
-- around_end0 = "2026-11-21"
-- f5 = ["draft"]
-- f6 = ["signup","lead"]
-- f7 = ["3"]
-- f8 = "/p"
-- limit = 100
-- offset = 0
-- setting optimize_use_projections = 0
SELECT path,
	referrer AS referrer_domain,
	sum(page_view) AS page_views,
	count() OVER () AS total_rows
FROM events
WHERE site = {site:String}
	AND date BETWEEN {start:Date} AND {end:Date}
	AND content_group NOT IN {f5:Array(String)}
	AND session GLOBAL IN (
SELECT session
FROM events
WHERE site = {site:String}
	AND date BETWEEN {around_start0:Date} AND {around_end0:Date}
	AND kind IN ('conversion', 'microconversion')
	AND session != 0
	AND event_type IN {f6:Array(String)}
)
	AND hour NOT IN {f7:Array(String)}
	AND startsWith(path, {f8:String})
GROUP BY path, referrer_domain
HAVING page_views != 0
ORDER BY page_views DESC, path ASC, referrer_domain ASC
LIMIT {limit:UInt64} OFFSET {offset:UInt64};
