import { type ReactNode, useEffect, useState } from "react";
import type { Failure } from "../../lib/failure.ts";
import { texts } from "../../lib/language.ts";
import { Card } from "../card/card.tsx";
import { Logo } from "../logo/logo.tsx";
import { failureText } from "./failure-text.ts";
import styles from "./page.module.css";
import { useTitle } from "./use-title.ts";

const t = texts({
	en: {
		wait: (time: string) => `Too many attempts. You can try again in ${time}.`,
		waited: "You can try again now.",
		fields: "Please fix the highlighted fields.",
	},
	es: {
		wait: (time: string) => `Demasiados intentos. Podrás volver a intentarlo en ${time}.`,
		waited: "Ya puedes volver a intentarlo.",
		fields: "Corrige los campos marcados.",
	},
});

interface FormPageProps {
	readonly title: string;
	readonly children: ReactNode;
	/** Links below the card. */
	readonly foot?: ReactNode;
}

/** A page that holds one form. */
export function FormPage({ title, children, foot }: FormPageProps) {
	useTitle(title);
	return (
		<main className={`${styles.page} ${styles.narrow}`}>
			<p className={styles.brand}>
				<Logo size={28} /> Footfall
			</p>
			<Card className={styles.sheet}>
				<h1>{title}</h1>
				{children}
			</Card>
			{foot && <p className={styles.foot}>{foot}</p>}
		</main>
	);
}

interface ProblemProps {
	readonly failure: Failure | undefined;
	/** Actions for the user. */
	readonly children?: ReactNode;
}

/** Error of a whole form. */
export function Problem({ failure, children }: ProblemProps) {
	if (failure === undefined) return null;
	return (
		<div role="alert" className={styles.problem}>
			<Words key={String(failure.retryAfter)} failure={failure} />
			{children}
		</div>
	);
}

function Words({ failure }: { readonly failure: Failure }) {
	const left = useSecondsLeft(failure.code === "rate_limit_exceeded" ? (failure.retryAfter ?? 0) : 0);
	if (failure.code === "rate_limit_exceeded" && failure.retryAfter !== undefined) {
		return <p>{left > 0 ? t.wait(clock(left)) : t.waited}</p>;
	}
	return <p>{failure.code === "validation_error" ? t.fields : failureText(failure)}</p>;
}

/** Seconds that are left, counted down. */
function useSecondsLeft(seconds: number): number {
	const [end] = useState(() => Date.now() + seconds * 1_000);
	const [now, setNow] = useState(() => Date.now());
	const left = Math.max(0, Math.ceil((end - now) / 1_000));
	// A clock is outside of React.
	useEffect(() => {
		if (left === 0) return;
		const timer = setTimeout(() => setNow(Date.now()), 1_000);
		return () => clearTimeout(timer);
	}, [left]);
	return left;
}

const clock = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")} min`;
