import styles from "./funnel-chart.module.css";

/** A step of a funnel as it is drawn. */
export interface FunnelBar {
	readonly key: string;
	readonly label: string;
	/** 0 to 1 of the first step. */
	readonly share: number;
	/** The same of the days before, where there are any. */
	readonly shareBefore?: number | undefined;
	readonly figure: string;
	readonly rate: string;
	readonly before?: string | undefined;
	/** Visits lost since the step above; undefined for the first. */
	readonly lost?: string | undefined;
}

/** Bars that get shorter, with what is lost between them; all of it is text too. */
export const FunnelChart = ({ label, steps }: { readonly label: string; readonly steps: readonly FunnelBar[] }) => (
	<ol aria-label={label} className={styles.funnel}>
		{steps.map(({ key, label: name, share, shareBefore, figure, rate, before, lost }, at) => (
			<li key={key}>
				{lost !== undefined && <p className={styles.lost}>{lost}</p>}
				<div className={styles.head}>
					<span className="caption" aria-hidden="true">
						{at + 1}
					</span>
					<span className={styles.name} title={name}>
						{name}
					</span>
					<span className={styles.figures}>
						{before && <span className="caption">{before}</span>}
						<strong>{figure}</strong>
						<span className={styles.rate}>{rate}</span>
					</span>
				</div>
				<div className={styles.track}>
					<div className={styles.bar} style={{ width: `${share * 100}%` }} />
					{shareBefore !== undefined && (
						<div className={styles.mark} style={{ insetInlineStart: `${shareBefore * 100}%` }} />
					)}
				</div>
			</li>
		))}
	</ol>
);
