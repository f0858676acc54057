import type { ReactNode } from "react";
import type { Failure } from "../../lib/failure.ts";
import { Card } from "../card/card.tsx";
import { Logo } from "../logo/logo.tsx";
import styles from "./page.module.css";

interface FormPageProps {
	readonly title: string;
	readonly children: ReactNode;
	/** Links below the card. */
	readonly foot?: ReactNode;
}

/** A page that holds one form. */
export function FormPage({ title, children, foot }: FormPageProps) {
	return (
		<main className={`${styles.page} ${styles.narrow}`}>
			<p className={styles.brand}>
				<Logo size={28} /> Footfall
			</p>
			<Card>
				<h1>{title}</h1>
				{children}
			</Card>
			{foot && <p className={styles.foot}>{foot}</p>}
		</main>
	);
}

/** What is wrong with a whole form. */
export const Problem = ({ failure }: { readonly failure: Failure | undefined }) =>
	failure && (
		<p role="alert" className={styles.problem}>
			{failure.message}
		</p>
	);
