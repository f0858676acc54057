import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { classes } from "../../lib/classes.ts";
import { percent } from "../../lib/format.ts";
import { Button, buttonClass } from "../../ui/button/button.tsx";
import { organizationsQuery } from "../organizations/index.ts";
import { actingQuery, siteQuery, useSite } from "../site/index.ts";
import styles from "./limit-banner.module.css";
import { usageQuery } from "./queries.ts";
import { t } from "./texts.ts";

/** Dismissed for this browser tab. */
const hidden = "footfall-limit-hidden";

/** Warns an owner on the report when the plan's events are nearly or fully used, and says what happens next. */
export function LimitBanner() {
	const site = useSite();
	const mayKnow = site.role === "owner";
	const { data: whole } = useQuery({ ...siteQuery(site.id), enabled: mayKnow });
	const { data: acting } = useQuery({ ...actingQuery, enabled: mayKnow });
	const { data: own } = useQuery({ ...organizationsQuery, enabled: mayKnow });
	const organization = own?.organizations.find(
		({ slug, user_role: role }) => slug === whole?.org_slug && role === "owner",
	);
	const isAsked = organization !== undefined && acting?.is_impersonating === false;
	const { data: usage } = useQuery({ ...usageQuery(organization?.id ?? ""), enabled: isAsked });
	const [isHidden, setHidden] = useState(() => sessionStorage.getItem(hidden) !== null);
	if (organization === undefined || usage === undefined || usage.status === "ok" || isHidden) return null;
	const hide = () => {
		sessionStorage.setItem(hidden, "yes");
		setHidden(true);
	};
	const isOver = usage.status !== "warning";
	return (
		<div role="status" className={classes(styles.banner, isOver && styles.over)}>
			<p>
				<strong>{isOver ? t.reached : t.near(percent(usage.percentage))}</strong> {t.follows[usage.plan_tier]}
			</p>
			<p className="row">
				<Link
					to="/organizations/$slug/billing"
					params={{ slug: organization.slug }}
					className={buttonClass("plain", true)}
				>
					{t.more}
				</Link>
				<Button look="quiet" small onClick={hide}>
					{t.hide}
				</Button>
			</p>
		</div>
	);
}
