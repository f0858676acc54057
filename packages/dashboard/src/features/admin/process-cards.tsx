import { CircleAlert, CircleCheck } from "lucide-react";
import { bytes } from "../../lib/bytes.ts";
import { classes } from "../../lib/classes.ts";
import { percent } from "../../lib/format.ts";
import { Card } from "../../ui/card/card.tsx";
import { Meter } from "../../ui/meter/meter.tsx";
import styles from "./admin.module.css";
import { Facts } from "./facts.tsx";
import type { System } from "./system-query.ts";
import { stretch, t } from "./system-texts.ts";

interface PartProps {
	readonly system: System;
}

const tones = { healthy: "good", degraded: "warn", unhealthy: "bad" } as const;

/** Health status and failed checks. */
export function HealthCard({ system: { status, checks, mail } }: PartProps) {
	return (
		<Card
			title={t.health}
			className={styles.wide}
			actions={<span className={classes(styles.status, styles[tones[status]])}>{t.statuses[status]}</span>}
		>
			<ul className={styles.checks}>
				{Object.entries(checks).map(([name, { status: found, message }]) => {
					const isUndelivered = name === "mailer" && mail.mode === "outbox";
					const tone = found !== "healthy" ? "bad" : isUndelivered ? "warn" : "good";
					const Sign = tone === "good" ? CircleCheck : CircleAlert;
					return (
						<li key={name}>
							<Sign size={18} aria-hidden="true" className={styles[tone]} />
							<span>
								<strong>{t.checks[name] ?? name}</strong>: {{ good: t.works, warn: t.undelivered, bad: t.fails }[tone]}
							</span>
							{message && <p>{message}</p>}
						</li>
					);
				})}
			</ul>
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
