import { Link } from "@tanstack/react-router";
import { bytes } from "../../lib/bytes.ts";
import { count } from "../../lib/format.ts";
import { buttonClass } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import styles from "./admin.module.css";
import { Facts } from "./facts.tsx";
import type { System } from "./system-query.ts";
import { stretch, t } from "./system-texts.ts";

interface PartProps {
	readonly system: System;
}

/** How many hits are stored, and where. */
export function HitsCard({ system: { event_store: events } }: PartProps) {
	return (
		<Card title={t.hits}>
			{events === null ? (
				<p className={styles.bad}>{t.storeAway}</p>
			) : (
				<Facts
					rows={[
						...events.tables.map(
							({ table, rows, bytes: size }) => [t.tables[table] ?? table, t.size(count(rows), bytes(size))] as const,
						),
						[t.store, `${t.engines[events.engine]} ${events.version}`],
					]}
				/>
			)}
		</Card>
	);
}

/** How many accounts there are, and where they are kept. */
export const AccountsCard = ({ system: { accounts } }: PartProps) => (
	<Card title={t.accounts}>
		<Facts
			rows={[
				[t.users, count(accounts.users)],
				[t.organizations, count(accounts.organizations)],
				[t.sites, count(accounts.sites)],
				[t.store, `${t.engines[accounts.engine]} ${accounts.version} · ${bytes(accounts.bytes)}`],
			]}
		/>
	</Card>
);

/** Hits in the spool that are not yet in the event store. */
export function SpoolCard({ system: { spool } }: PartProps) {
	return (
		<Card title={t.spool}>
			{spool === null ? (
				<p>{t.noSpool}</p>
			) : (
				<>
					<p className={styles.hint}>{t.spoolText}</p>
					<Facts
						rows={[
							[
								t.waiting,
								spool.waiting_bytes === 0
									? t.none
									: `${bytes(spool.waiting_bytes)}, ${t.since(stretch(spool.waiting_seconds))}`,
							],
							[t.room, bytes(spool.max_bytes)],
							[t.refused, count(spool.refused_rows)],
							[t.damaged, count(spool.damaged_files)],
						]}
					/>
				</>
			)}
		</Card>
	);
}

/** Whether mails leave, and why not. */
export function MailCard({ system: { mail } }: PartProps) {
	return (
		<Card title={t.mail}>
			<Facts
				rows={[
					[t.leaves, t.modes[mail.mode]],
					[t.waiting, mail.waiting === 0 ? t.none : count(mail.waiting)],
					[t.givenUp, mail.given_up === 0 ? t.none : count(mail.given_up)],
					[t.lastError, mail.last_error?.message ?? t.noError],
				]}
			/>
			{mail.last_error !== null && (
				<p className={styles.foot}>
					<Link
						to="/admin/$screen"
						params={{ screen: "jobs" }}
						search={{ view: ["kind:mail"] }}
						className={buttonClass("plain", true)}
					>
						{t.toJobs}
					</Link>
				</p>
			)}
		</Card>
	);
}
