import { Copy, ExternalLink, Filter, FilterX, MoreHorizontal } from "lucide-react";
import { copy } from "../../lib/clipboard.ts";
import { texts } from "../../lib/language.ts";
import { Button } from "../../ui/button/button.tsx";
import { Popover } from "../../ui/popover/popover.tsx";
import { toast } from "../../ui/toast/toast.tsx";
import { useSite } from "../site/index.ts";
import type { List } from "./lists.ts";
import styles from "./row-menu.module.css";

const t = texts({
	en: {
		more: (value: string) => `More actions for ${value}`,
		filter: "Filter",
		unfilter: "Remove filter",
		exclude: "Exclude",
		open: "Open page",
		copy: "Copy",
		copied: "Copied",
	},
	es: {
		more: (value: string) => `Más acciones para ${value}`,
		filter: "Filtrar",
		unfilter: "Quitar filtro",
		exclude: "Excluir",
		open: "Abrir página",
		copy: "Copiar",
		copied: "Copiado",
	},
});

interface RowMenuProps {
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
export function RowMenu({ list, value, shown, isChosen, isOffered, onChoose }: RowMenuProps) {
	const address = useAddress(list, value);
	return (
		<Popover look="quiet" small icon name={t.more(shown)} label={<MoreHorizontal size={16} aria-hidden="true" />}>
			{(close) => {
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
						<Button
							look="quiet"
							onClick={run(() => void copy(value === "" ? shown : value).then(() => toast(t.copied)))}
						>
							<Copy size={16} aria-hidden="true" /> {t.copy}
						</Button>
					</div>
				);
			}}
		</Popover>
	);
}

/** Where a row's page is: a path of the site, or the site that refers. */
function useAddress(list: List, value: string): string | undefined {
	const [domain] = useSite().domains;
	if (list.value === "referrer_domain") return value.includes(".") ? `https://${value}` : undefined;
	if (!value.startsWith("/") || value.startsWith("//") || domain === undefined) return undefined;
	return `https://${domain.replace(/^\*\./, "")}${value}`;
}
