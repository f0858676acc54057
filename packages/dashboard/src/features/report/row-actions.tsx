import { Copy, ExternalLink, Filter, FilterX } from "lucide-react";
import { copy } from "../../lib/clipboard.ts";
import { texts } from "../../lib/language.ts";
import { Button } from "../../ui/button/button.tsx";
import { toast } from "../../ui/toast/toast.tsx";
import { useSite } from "../site/index.ts";
import type { List } from "./lists.ts";
import styles from "./row-actions.module.css";

const t = texts({
	en: {
		filter: "Filter",
		unfilter: "Remove filter",
		exclude: "Exclude",
		open: "Open page",
		copy: "Copy",
		copied: "Copied",
	},
	es: {
		filter: "Filtrar",
		unfilter: "Quitar filtro",
		exclude: "Excluir",
		open: "Abrir página",
		copy: "Copiar",
		copied: "Copiado",
	},
});

export interface RowActionsProps {
	readonly list: List;
	readonly value: string;
	/** As people read it. */
	readonly shown: string;
	readonly isChosen: boolean;
	/** Whether one may filter by it. */
	readonly isOffered: boolean;
	readonly onChoose: (way: "include" | "exclude") => void;
}

/** Actions on a row of a list. */
export function RowActions({
	list,
	value,
	shown,
	isChosen,
	isOffered,
	onChoose,
	close,
}: RowActionsProps & { readonly close: () => void }) {
	const address = useAddress(list, value);
	const run = (act: () => void) => () => {
		close();
		act();
	};
	return (
		<div className={styles.menu}>
			{isOffered && (
				<>
					<Button look="quiet" onClick={run(() => onChoose("include"))}>
						<Filter size={16} aria-hidden="true" /> {isChosen ? t.unfilter : t.filter}
					</Button>
					<Button look="quiet" onClick={run(() => onChoose("exclude"))}>
						<FilterX size={16} aria-hidden="true" /> {t.exclude}
					</Button>
				</>
			)}
			{address && (
				<Button look="quiet" onClick={run(() => open(address, "_blank", "noopener,noreferrer"))}>
					<ExternalLink size={16} aria-hidden="true" /> {t.open}
				</Button>
			)}
			<Button look="quiet" onClick={run(() => void copy(value === "" ? shown : value).then(() => toast(t.copied)))}>
				<Copy size={16} aria-hidden="true" /> {t.copy}
			</Button>
		</div>
	);
}

/** Where a row's page is: a path of the site, or the site that refers. */
function useAddress(list: List, value: string): string | undefined {
	const [domain] = useSite().domains;
	if (list.value === "referrer_domain") return value.includes(".") ? `https://${value}` : undefined;
	if (!value.startsWith("/") || value.startsWith("//") || domain === undefined) return undefined;
	return `https://${domain.replace(/^\*\./, "")}${value}`;
}
