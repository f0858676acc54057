import { Suspense, useRef } from "react";
import type { SharedReport } from "../../api/shared.ts";
import { classes } from "../../lib/classes.ts";
import { Logo } from "../../ui/logo/logo.tsx";
import { SkipLink } from "../../ui/skip-link/skip-link.tsx";
import { FilterBar, FilterButton } from "../filters/index.ts";
import { PeriodControls } from "../period/index.ts";
import { ReportScreen } from "../report/index.ts";
import { mayFilter } from "../site/index.ts";
import styles from "./shared.module.css";
import { t } from "./texts.ts";
import { useTellHeight } from "./use-tell-height.ts";

const isEmbedded = location.pathname.startsWith("/embed/");

/** The report of a shared link: nothing leads out of it, and nothing in it writes. */
export function SharedFrame({ report }: { readonly report: SharedReport }) {
	const frame = useRef<HTMLDivElement>(null);
	useTellHeight(frame, isEmbedded ? report.embed_origins : []);
	return (
		<div ref={frame} className={classes(styles.frame, isEmbedded && styles.embedded)}>
			<SkipLink label={t.skip} />
			<Suspense fallback={<main className={styles.opening} data-loading="" />}>
				<header className={styles.top}>
					<p className={styles.name}>{report.site.name}</p>
					{mayFilter() && <FilterButton />}
					<PeriodControls />
					{mayFilter() && <FilterBar />}
				</header>
				<main id="main" tabIndex={-1} aria-label={`${t.report} · ${report.site.name}`} className={styles.main}>
					<ReportScreen />
				</main>
				<footer className={styles.foot}>
					<p>{t.times(report.site.timezone)}</p>
					<p className={styles.by}>
						{t.by} <Logo size={16} /> Footfall
					</p>
				</footer>
			</Suspense>
		</div>
	);
}
