import { Link } from "@tanstack/react-router";
import { Check, LoaderCircle, X } from "lucide-react";
import { useEffect, useState } from "react";
import { asFailure } from "../../lib/failure.ts";
import { ago } from "../../lib/format.ts";
import { buttonClass } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Failed } from "../../ui/loaded/loaded.tsx";
import type { Site } from "../site/index.ts";
import { Causes } from "./causes.tsx";
import type { Diagnosis } from "./diagnosis.ts";
import styles from "./install.module.css";
import { t } from "./texts.ts";
import type { Doctor } from "./use-doctor.ts";

/** After so long somebody who waits may want to know what usually is in the way. */
const patienceMs = 20_000;

/** State of the installation, obstacles, and how to remove them. */
export function DoctorCard({ site, doctor }: { readonly site: Site; readonly doctor: Doctor }) {
	const { diagnosis, failure, again, lastHitAt, knowsCauses } = doctor;
	if (failure !== null) {
		return (
			<Card title={t.doctor}>
				<Failed failure={asFailure(failure)} again={again} />
			</Card>
		);
	}
	const { script = false, received = false, accepted = false, causes = [] } = diagnosis ?? {};
	const isRefused = received && !accepted;
	return (
		<Card title={t.doctor}>
			<ol className={styles.path} aria-live="polite">
				<PathStep label={t.script} state={script ? "done" : "waiting"} />
				<PathStep label={t.received} state={received ? "done" : "waiting"} />
				<PathStep label={t.accepted} state={accepted ? "done" : isRefused ? "refused" : "waiting"} />
			</ol>
			<Causes site={site} causes={causes} />
			{accepted ? (
				<Working site={site} lastHitAt={lastHitAt} />
			) : (
				diagnosis && <Waiting diagnosis={diagnosis} lastHitAt={lastHitAt} knowsCauses={knowsCauses} />
			)}
		</Card>
	);
}

const icons = { done: Check, waiting: LoaderCircle, refused: X };

function PathStep({ label, state }: { readonly label: string; readonly state: keyof typeof icons }) {
	const Icon = icons[state];
	return (
		<li className={styles[state]}>
			<Icon size={20} aria-hidden="true" />
			{label}
			<span className="visually-hidden">: {t[state]}</span>
		</li>
	);
}

function Working({ site, lastHitAt }: { readonly site: Site; readonly lastHitAt: string | null }) {
	return (
		<div className={styles.verdict}>
			<p role="status">{t.working(lastHitAt === null ? "" : ago(lastHitAt))}</p>
			<p className={styles.row}>
				<Link to="/sites/$id" params={{ id: site.id }} className={buttonClass("primary")}>
					{t.toReport}
				</Link>
				<Link to="/sites/$id/live" params={{ id: site.id }} className={buttonClass()}>
					{t.toLive}
				</Link>
			</p>
		</div>
	);
}

interface WaitingProps {
	readonly diagnosis: Diagnosis;
	readonly lastHitAt: string | null;
	readonly knowsCauses: boolean;
}

function Waiting({ diagnosis, lastHitAt, knowsCauses }: WaitingProps) {
	const isLong = useLong();
	const { script, received } = diagnosis;
	return (
		<div className={styles.verdict}>
			{lastHitAt !== null && <p>{t.quiet(ago(lastHitAt))}</p>}
			{!received && <p>{t.wait}</p>}
			{!received && isLong && <p className={styles.hint}>{script ? t.silent : t.blocked}</p>}
			{!knowsCauses && <p className={styles.hint}>{t.elsewhere}</p>}
		</div>
	);
}

function useLong(): boolean {
	const [isLong, setIsLong] = useState(false);
	// A clock is outside of React.
	useEffect(() => {
		const timer = setTimeout(() => setIsLong(true), patienceMs);
		return () => clearTimeout(timer);
	}, []);
	return isLong;
}
