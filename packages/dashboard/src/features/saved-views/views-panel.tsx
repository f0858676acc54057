import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Check, Pencil } from "lucide-react";
import { useState } from "react";
import { may, reaches } from "../../api/may.ts";
import { texts } from "../../lib/language.ts";
import { useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Check as CheckField, Field } from "../../ui/field/field.tsx";
import { Form, Submit } from "../../ui/form/form.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { useSite, useSiteSearch } from "../site/index.ts";
import { addressOf, definitionOf, isSame, useIsOwn, useViews, type View, viewsQuery } from "./use-views.ts";
import { sharing, ViewEditor } from "./view-editor.tsx";
import type { ViewKind } from "./view-kind.ts";
import styles from "./views-panel.module.css";

interface SaveFormProps {
	readonly kind: ViewKind;
	/** The reader's views: one of the same name is replaced. */
	readonly own: readonly View[];
	readonly onDone: () => void;
}

/** Keeps what the address says under a name. */
function SaveForm({ kind, own, onDone }: SaveFormProps) {
	const { role } = useSite();
	const definition = definitionOf(useSiteSearch());
	const { add, change } = useViews();
	const [name, setName] = useState("");
	const before = own.find((view) => view.name === name.trim());
	const form = useForm(async (values) => {
		if (before) await change.mutateAsync({ row: before, to: { definition } });
		else await add.mutateAsync({ kind, name, definition, is_shared: values.has("shared") });
		onDone();
	});
	return (
		<Form form={form} className={styles.save}>
			<Field
				label={t.name}
				hint={before && t.taken}
				name="name"
				value={name}
				onChange={(event) => setName(event.target.value)}
				required
				maxLength={100}
				autoComplete="off"
			/>
			{!before && reaches(role, "editor") && <CheckField label={sharing.share} name="shared" />}
			<div className="row">
				<Submit small>{before ? t.replace : t.save}</Submit>
			</div>
		</Form>
	);
}

const t = texts({
	en: {
		own: "Your views",
		shared: "Shared by colleagues",
		isShared: "shared",
		by: (name: string) => `by ${name}`,
		change: (name: string) => `Edit “${name}”`,
		none: {
			report: "No saved views yet. A view stores period, filters and metrics.",
			funnel: "No saved funnels yet.",
			query: "No saved views yet. A view stores rows, columns, metrics and filters.",
		},
		name: "Save this view as",
		save: "Save",
		replace: "Replace",
		taken: "You already have a view with this name. Saving replaces it.",
	},
	es: {
		own: "Tus vistas",
		shared: "Compartidas por compañeros",
		isShared: "compartida",
		by: (name: string) => `de ${name}`,
		change: (name: string) => `Editar «${name}»`,
		none: {
			report: "Aún no hay vistas guardadas. Una vista guarda periodo, filtros y métricas.",
			funnel: "Aún no hay embudos guardados.",
			query: "Aún no hay vistas guardadas. Una vista guarda filas, columnas, métricas y filtros.",
		},
		name: "Guardar esta vista como",
		save: "Guardar",
		replace: "Reemplazar",
		taken: "Ya tienes una vista con este nombre. Al guardar se reemplaza.",
	},
});

/** The views of a screen: open one, change one, keep what is on the screen. */
export function ViewsPanel({ kind, close }: { readonly kind: ViewKind; readonly close: () => void }) {
	const site = useSite();
	const query = useQuery(viewsQuery(site.id, kind));
	const isOwn = useIsOwn();
	return (
		<div className={styles.panel}>
			<Loaded query={query}>
				{(views) => (
					<>
						{views.length === 0 && <p className={styles.hint}>{t.none[kind]}</p>}
						<Group label={t.own} views={views.filter(isOwn)} close={close} />
						<Group label={t.shared} views={views.filter((view) => !isOwn(view))} close={close} />
						{may("POST /saved-views", site.role) && <SaveForm kind={kind} own={views.filter(isOwn)} onDone={close} />}
					</>
				)}
			</Loaded>
		</div>
	);
}

interface GroupProps {
	readonly label: string;
	readonly views: readonly View[];
	readonly close: () => void;
}

function Group({ label, views, close }: GroupProps) {
	if (views.length === 0) return null;
	return (
		<section aria-label={label}>
			<h3 className={styles.head}>{label}</h3>
			<ul>
				{views.map((view) => (
					<Row key={view.id} view={view} close={close} />
				))}
			</ul>
		</section>
	);
}

function Row({ view, close }: { readonly view: View; readonly close: () => void }) {
	const site = useSite();
	const here = definitionOf(useSiteSearch());
	const navigate = useNavigate();
	const isOwn = useIsOwn()(view);
	const [isEdited, setEdited] = useState(false);
	const address = addressOf(view.definition);
	const isChosen = isSame(address, here);
	if (isEdited) return <ViewEditor view={view} onDone={() => setEdited(false)} />;
	const open = () => {
		close();
		void navigate({ to: ".", search: address, resetScroll: false });
	};
	const fact = isOwn ? view.is_shared && t.isShared : view.created_by_name && t.by(view.created_by_name);
	return (
		<li className={styles.row}>
			<Button look="quiet" className={styles.choice} aria-current={isChosen || undefined} onClick={open}>
				<span className={styles.mark}>{isChosen && <Check size={16} aria-hidden="true" />}</span>
				<span className={styles.name}>{view.name}</span>
				{fact && <span className={styles.fact}>{fact}</span>}
			</Button>
			{(isOwn || reaches(site.role, "admin")) && (
				<Button look="quiet" icon small aria-label={t.change(view.name)} onClick={() => setEdited(true)}>
					<Pencil size={14} aria-hidden="true" />
				</Button>
			)}
		</li>
	);
}
