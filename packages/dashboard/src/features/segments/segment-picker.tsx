import { useQuery } from "@tanstack/react-query";
import { Check, ChevronDown } from "lucide-react";
import type { Answer } from "../../api/client.ts";
import { texts } from "../../lib/language.ts";
import { Button } from "../../ui/button/button.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { Popover } from "../../ui/popover/popover.tsx";
import { useChangeSearch, useSite, useSiteSearch } from "../site/index.ts";
import styles from "./segment-picker.module.css";
import { segmentsQuery } from "./segments-query.ts";

const t = texts({
	en: {
		segment: "Segment",
		none: "No segment",
		own: "Saved",
		system: "Built in",
		hint: "Filters that you save appear here.",
		names: {} as Readonly<Record<string, string>>,
	},
	es: {
		segment: "Segmento",
		none: "Sin segmento",
		own: "Guardados",
		system: "Siempre disponibles",
		hint: "Los filtros que guardes aparecerán aquí.",
		names: {
			"organic-search": "Búsqueda orgánica",
			"paid-search": "Búsqueda de pago",
			social: "Redes sociales",
			direct: "Directo",
			referral: "Referencias",
			mobile: "Móvil",
			desktop: "Ordenador",
		},
	},
});

type Segment = Answer<"GET /segments">[number];

const nameOf = ({ name, display_name, is_system }: Segment): string => (is_system && t.names[name]) || display_name;

/** Which saved segment the figures are of. */
export function SegmentPicker() {
	const site = useSite();
	const { segment } = useSiteSearch();
	// Only a chosen segment has a name to show; the others are asked for when the panel opens.
	const { data } = useQuery({ ...segmentsQuery(site.id), enabled: segment !== undefined });
	const chosen = data?.find(({ id, name }) => segment === name || segment === id);
	return (
		<Popover
			name={chosen ? `${t.segment}: ${nameOf(chosen)}` : t.segment}
			label={
				<>
					<span className={styles.label}>{chosen ? nameOf(chosen) : (segment ?? t.segment)}</span>
					<ChevronDown size={16} aria-hidden="true" />
				</>
			}
		>
			{(close) => <Choices chosen={chosen?.name ?? segment} onDone={close} />}
		</Popover>
	);
}

function Choices({ chosen, onDone }: { readonly chosen: string | undefined; readonly onDone: () => void }) {
	const site = useSite();
	const change = useChangeSearch();
	const query = useQuery(segmentsQuery(site.id));
	const choose = (segment: string | undefined) => {
		onDone();
		change({ segment });
	};
	return (
		<div className={styles.choices}>
			<Loaded query={query}>
				{(segments) => (
					<>
						<Choice label={t.none} isChosen={chosen === undefined} onChoose={() => choose(undefined)} />
						{[false, true].map((isSystem) => (
							<section key={String(isSystem)} aria-label={isSystem ? t.system : t.own}>
								<h3 className={styles.head}>{isSystem ? t.system : t.own}</h3>
								{!isSystem && segments.every(({ is_system }) => is_system) && <p className={styles.hint}>{t.hint}</p>}
								{segments
									.filter((segment) => segment.is_system === isSystem && segment.filter_count > 0)
									.map((segment) => (
										<Choice
											key={segment.id}
											label={nameOf(segment)}
											isChosen={chosen === segment.name}
											onChoose={() => choose(segment.name)}
										/>
									))}
							</section>
						))}
					</>
				)}
			</Loaded>
		</div>
	);
}

interface ChoiceProps {
	readonly label: string;
	readonly isChosen: boolean;
	readonly onChoose: () => void;
}

function Choice({ label, isChosen, onChoose }: ChoiceProps) {
	return (
		<Button look="quiet" className={styles.choice} aria-pressed={isChosen} onClick={onChoose}>
			<span className={styles.mark}>{isChosen && <Check size={16} aria-hidden="true" />}</span>
			{label}
		</Button>
	);
}
