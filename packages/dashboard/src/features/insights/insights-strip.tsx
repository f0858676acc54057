import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { lazily } from "../../lib/lazily.ts";
import { useLater } from "../../lib/use-later.ts";
import { Button } from "../../ui/button/button.tsx";
import { useSite } from "../site/index.ts";
import { insightsQuery } from "./insights-query.ts";
import styles from "./insights-strip.module.css";
import { t } from "./strip-texts.ts";

const MOST = 3;

const StripItems = lazily(async () => ({ default: (await import("./strip-items.tsx")).StripItems }));

/**
 * The most severe unread insight in one line, which opens. The line is always there and is loaded after the figures, so
 * that the parts below it do not move.
 */
export function InsightsStrip() {
	const site = useSite();
	const isLater = useLater();
	const [isOpen, setOpen] = useState(false);
	const { data } = useQuery({ ...insightsQuery(site.id, { unread: true }), enabled: isLater });
	const worst = data?.insights.slice(0, MOST) ?? [];
	const [first] = worst;
	return (
		<section aria-label={t.strip} className={styles.strip}>
			<div className={styles.line}>
				{first && <span data-severity={first.severity}>{t.severities[first.severity]}</span>}
				{first && <strong>{first.title}</strong>}
				{data && !first && <small>{t.none}</small>}
				{data && data.total > 1 && <small>+{data.total - 1}</small>}
				{first && (
					<Button small look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
						{isOpen ? t.close : t.open}
					</Button>
				)}
				<Link to="/sites/$id/insights" params={{ id: site.id }}>
					{t.more}
				</Link>
			</div>
			{isOpen && (
				<Suspense>
					<StripItems insights={worst} />
				</Suspense>
			)}
		</section>
	);
}
