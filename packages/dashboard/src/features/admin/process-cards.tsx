import { CircleAlert, CircleCheck, CircleMinus } from "lucide-react";
import { bytes } from "../../lib/bytes.ts";
import { classes } from "../../lib/classes.ts";
import { percent } from "../../lib/format.ts";
import { Card } from "../../ui/card/card.tsx";
import { Meter } from "../../ui/meter/meter.tsx";
import { WarningList } from "../warnings/index.ts";
import styles from "./admin.module.css";
import { Facts } from "./facts.tsx";
import type { System } from "./system-query.ts";
import { stretch, t } from "./system-texts.ts";

interface PartProps {
	readonly system: System;
}

const tones = { healthy: "good", degraded: "warn", unhealthy: "bad" } as const;

/** How a check went: green is only what was tried. */
function stateOf(
	name: string,
	{ checks, mail, spool }: System,
): readonly [tone: "good" | "warn" | "bad" | "muted", words: string] {
	if (checks[name]?.status !== "healthy") return ["bad", t.fails];
	if (name === "mailer" && mail.last_error !== null && mail.last_error.status !== "failed") return ["warn", t.delayed];
	// Another process collects.
	if (name === "queue" && spool === null) return ["muted", t.untried];
	return ["good", t.works];
}

/** Health status, failed checks and warnings. */
export function HealthCard({ system }: PartProps) {
	const { status, checks, mail, warnings } = system;
	const overall = status === "healthy" && warnings.length > 0 ? "degraded" : status;
	// The outbox is no way out: a warning says so.
	const shown = Object.entries(checks).filter(
		([name, { status: found }]) => !(name === "mailer" && mail.mode === "outbox" && found === "healthy"),
	);
	return (
		<Card
			title={t.health}
			className={styles.wide}
			actions={<span className={classes(styles.status, styles[tones[overall]])}>{t.statuses[overall]}</span>}
		>
			<ul className={styles.checks}>
				{shown.map(([name, { code = "", values = {}, message }]) => {
					const [tone, words] = stateOf(name, system);
					const Sign = tone === "good" ? CircleCheck : tone === "muted" ? CircleMinus : CircleAlert;
					return (
						<li key={name}>
							<Sign size={18} aria-hidden="true" className={styles[tone]} />
							<span>
								<strong>{t.checks[name] ?? name}</strong>: {words}
							</span>
							{message && <p>{t.notes[code]?.(values) ?? message}</p>}
						</li>
					);
				})}
			</ul>
			{warnings.length > 0 && (
				<div className={styles.warnings}>
					<WarningList warnings={warnings} />
				</div>
			)}
		</Card>
	);
}

/** Version of the service and its start. */
export function ServiceCard({ system: { process } }: PartProps) {
	return (
		<Card title={t.service}>
			<Facts
				rows={[
					[t.version, process.version],
					[t.uptime, stretch(process.uptime_seconds)],
					[t.roles, process.roles.join(", ")],
					[t.address, process.root_url],
					[t.environment, process.environment],
					[t.runtime, `Node ${process.node}`],
				]}
			/>
		</Card>
	);
}

/** Use of memory and disk. */
export function MemoryCard({ system: { memory, disks } }: PartProps) {
	return (
		<Card title={t.memory}>
			<div className={styles.part}>
				<Facts
					rows={memory.map(({ process, bytes: used }) => [
						t.processes[process],
						used === null ? t.unknown : bytes(used),
					])}
				/>
			</div>
			{disks.map(({ place, free_bytes: free, total_bytes: total, state }) => {
				const used = total === 0 ? 0 : ((total - free) / total) * 100;
				return (
					<div key={place} className={styles.part}>
						<h3>{t.places[place]}</h3>
						<Meter share={used / 100} isOver={state !== "enough"} />
						<p className={state === "enough" ? undefined : styles.bad}>
							{t.free(bytes(free), bytes(total))} <span className={styles.hint}>{t.used(percent(used))}</span>
						</p>
					</div>
				);
			})}
		</Card>
	);
}
