import { ChevronLeft, ChevronRight } from "lucide-react";
import { count } from "../../lib/format.ts";
import { texts } from "../../lib/language.ts";
import { Button } from "../button/button.tsx";
import styles from "./pager.module.css";

const t = texts({
	en: {
		pages: "Pages",
		before: "Previous page",
		after: "Next page",
		of: (from: string, to: string, all: string) => `${from}–${to} of ${all}`,
	},
	es: {
		pages: "Páginas",
		before: "Página anterior",
		after: "Página siguiente",
		of: (from: string, to: string, all: string) => `${from}–${to} de ${all}`,
	},
});

interface PagerProps {
	/** From 1 on. */
	readonly page: number;
	readonly pageSize: number;
	readonly total: number;
	readonly onPage: (page: number) => void;
}

/** Which rows of all are there, and the way to the others. */
export function Pager({ page, pageSize, total, onPage }: PagerProps) {
	const from = (page - 1) * pageSize + 1;
	const to = Math.min(total, page * pageSize);
	if (total === 0) return null;
	return (
		<nav aria-label={t.pages} className={styles.pager}>
			<span>{t.of(count(Math.min(from, total)), count(to), count(total))}</span>
			{total > pageSize && (
				<>
					<Button small icon look="quiet" aria-label={t.before} disabled={page <= 1} onClick={() => onPage(page - 1)}>
						<ChevronLeft size={16} aria-hidden="true" />
					</Button>
					<Button small icon look="quiet" aria-label={t.after} disabled={to >= total} onClick={() => onPage(page + 1)}>
						<ChevronRight size={16} aria-hidden="true" />
					</Button>
				</>
			)}
		</nav>
	);
}

/** The page of an address, from 1 on. */
export const pageOf = (page: string | undefined): number => Math.max(1, Math.trunc(Number(page ?? 1)) || 1);
