import { useEffect, useState } from "react";
import { classes } from "../../lib/classes.ts";
import { clock } from "../../lib/format.ts";
import styles from "./live.module.css";
import type { LiveState } from "./live-state.ts";
import { t } from "./texts.ts";

interface ConnectionProps {
	readonly state: LiveState;
	readonly timeZone: string;
}

/** Whether what one sees is of now, and if not, of when. */
export function Connection({ state: { connection, retryAt, heardAt }, timeZone }: ConnectionProps) {
	const seconds = useSecondsUntil(retryAt);
	const words = connection === "waiting" ? t.waiting(seconds) : t[connection];
	const old = connection !== "connected" && heardAt !== undefined && t.of(clock(new Date(heardAt), timeZone, "second"));
	return (
		<p className={styles.connection}>
			<span className={classes(styles.dot, connection === "connected" && styles.isLive)} aria-hidden="true" />
			{/* A count-down is not read out, but what it counts down to is. */}
			<span role="status" className="visually-hidden">
				{connection === "waiting" ? t.connecting : t[connection]}
			</span>
			<span aria-hidden="true">{[words, old].filter(Boolean).join(", ")}</span>
		</p>
	);
}

function useSecondsUntil(moment: number | undefined): number {
	const [now, setNow] = useState(() => Date.now());
	// A clock is outside of React.
	useEffect(() => {
		if (moment === undefined) return;
		const timer = setInterval(() => setNow(Date.now()), 500);
		return () => clearInterval(timer);
	}, [moment]);
	return Math.max(0, Math.ceil(((moment ?? now) - now) / 1_000));
}
