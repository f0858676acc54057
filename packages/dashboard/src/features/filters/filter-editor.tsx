import { useQueries } from "@tanstack/react-query";
import { X } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useId, useState } from "react";
import { weekdays } from "../../lib/format.ts";
import { texts } from "../../lib/language.ts";
import { useRested } from "../../lib/use-rested.ts";
import { Button } from "../../ui/button/button.tsx";
import { Field, Select } from "../../ui/field/field.tsx";
import { type List, listOfField, useList } from "../report/index.ts";
import {
	type Filter,
	type FilterField,
	type FilterOperator,
	filterFields,
	isProperty,
	mayFilterBy,
	parseFilter,
	propertyField,
	propertyName,
	type ReportQuery,
	report,
	reportQuery,
	takesList,
	useSite,
	useSiteSearch,
} from "../site/index.ts";
import styles from "./filter-editor.module.css";
import { comparesWhole, fieldName, operatorLabels, operatorsOf, shownFilterValue } from "./filter-words.ts";

/** A value that a filter may have, and how it is read. */
interface Suggestion {
	readonly value: string;
	readonly shown: string;
}

const most = 50;
const restMs = 200;
const hours = Array.from({ length: 24 }, (_, hour) => String(hour));
const days = weekdays.map((_, at) => String(at + 1));
/** Fields whose values no list tells. */
const fixed: Readonly<Partial<Record<FilterField, readonly string[]>>> = { hour: hours, day_of_week: days };

/** Values that a field has in this period, under the other filters; those that contain what is typed. */
function useSuggestions(field: Filter["field"], typed: string): readonly Suggestion[] {
	const site = useSite();
	const search = useSiteSearch();
	const wanted = useRested(typed, restMs);
	const others = search.f.filter((text) => parseFilter(text)?.field !== field);
	const list = isProperty(field) ? undefined : listOfField(field);
	const query = reportQuery(site.id, { ...search, f: others });
	const { data } = useList(
		list ?? none,
		query,
		{ sort: (list ?? none).sorts[0], isRising: false, search: wanted, page: 1, size: most },
		{ enabled: list !== undefined },
	);
	const ofProperty = usePropertyValues(field, query);
	const values = isProperty(field) ? ofProperty : (fixed[field] ?? data?.rows.map(({ value }) => value) ?? []);
	return values.map((value) => ({ value, shown: shownFilterValue(field, "eq", value) }));
}

/** Purchase items have properties of their own. */
const tables = ["both", "conversion_items"] as const;

function usePropertyValues(field: Filter["field"], query: ReportQuery): readonly string[] {
	const key = isProperty(field) ? propertyName(field) : "";
	const found = useQueries({
		queries: tables.map((table) => ({
			...report("GET /stats/properties/breakdown", { ...query, property_key: key, table }),
			enabled: key !== "",
		})),
	});
	return found.flatMap(({ data }) => data?.property_values ?? []);
}

/** The properties of the site's events in this period, the most frequent first. */
function useProperties(): readonly Filter["field"][] {
	const query = reportQuery(useSite().id, { ...useSiteSearch(), f: [] });
	const found = useQueries({
		queries: tables.map((table) => ({
			...report("GET /stats/properties/keys", { ...query, table }),
			enabled: mayFilterBy("property."),
		})),
	});
	return found.flatMap(({ data = [] }) => data.slice(0, most).map(({ key }) => propertyField(key)));
}

/** Stands for the list that a field does not have; it is never asked. */
const none: List = {
	key: "sources",
	route: "GET /stats/sources",
	value: "utm_source",
	columns: [],
	sorts: ["entrances"],
};

const t = texts({
	en: {
		field: "Property",
		own: "Custom properties",
		operator: "Condition",
		value: "Value",
		values: "Values",
		hint: "Press Enter to add another.",
		apply: "Apply",
		without: (value: string) => `Without ${value}`,
	},
	es: {
		field: "Propiedad",
		own: "Propiedades personalizadas",
		operator: "Condición",
		value: "Valor",
		values: "Valores",
		hint: "Pulsa Intro para añadir otro.",
		apply: "Aplicar",
		without: (value: string) => `Sin ${value}`,
	},
});

interface FilterEditorProps {
	/** The edited filter; absent for a new one. */
	readonly filter?: Filter;
	readonly onApply: (filter: Filter) => void;
}

/** A filter in the making: field, operator, values. */
export function FilterEditor({ filter, onApply }: FilterEditorProps) {
	const draft = useDraft(filter);
	const { field, operator, values, isList } = draft;
	const own = new Set([...useProperties(), field].filter(isProperty));
	const submit = (event: FormEvent) => {
		event.preventDefault();
		const chosen = draft.chosen();
		if (chosen.length > 0) onApply({ field, operator, values: chosen });
	};
	return (
		<form className={styles.editor} onSubmit={submit}>
			<Select label={t.field} value={field} onChange={(event) => draft.setField(event.target.value as Filter["field"])}>
				{filterFields.filter(mayFilterBy).map(optionOf)}
				{own.size > 0 && <optgroup label={t.own}>{[...own].map(optionOf)}</optgroup>}
			</Select>
			<Select
				label={t.operator}
				value={operator}
				onChange={(event) => draft.setOperator(event.target.value as FilterOperator)}
			>
				{operatorsOf(field).map((one) => (
					<option key={one} value={one}>
						{operatorLabels[one]}
					</option>
				))}
			</Select>
			{isList && values.length > 0 && (
				<ul className={styles.values}>
					{values.map((value) => (
						<ValueTag key={value} shown={shownFilterValue(field, operator, value)} onDrop={() => draft.drop(value)} />
					))}
				</ul>
			)}
			<ValueField
				isList={isList}
				required={!isList || values.length === 0}
				typed={draft.typed}
				onType={draft.type}
				onKeyDown={draft.addOnEnter}
				options={draft.suggested}
			/>
			<Button type="submit" look="primary">
				{t.apply}
			</Button>
		</form>
	);
}

const optionOf = (field: Filter["field"]) => (
	<option key={field} value={field}>
		{fieldName(field)}
	</option>
);

/** The field that a new filter begins with. */
const fieldAtFirst = (): FilterField =>
	mayFilterBy("utm_source") ? "utm_source" : (filterFields.find(mayFilterBy) ?? "utm_source");

/** State of the editor until it is applied. */
function useDraft(filter: Filter | undefined) {
	const [field, setField] = useState<Filter["field"]>(filter?.field ?? fieldAtFirst());
	const [operator, setOperator] = useState<FilterOperator>(filter?.operator ?? "eq");
	const [values, setValues] = useState<readonly string[]>(filter && takesList(filter.operator) ? filter.values : []);
	const [typed, type] = useState(
		filter && !takesList(filter.operator)
			? shownFilterValue(filter.field, filter.operator, filter.values[0] ?? "")
			: "",
	);
	const suggestions = useSuggestions(field, typed);
	const isList = takesList(operator);
	/** The typed text is a value or its label; for substring operators it is used as typed. */
	const meant = () => {
		if (!comparesWhole(operator)) return typed;
		const wanted = typed.trim().toLocaleLowerCase();
		return suggestions.find(({ shown }) => shown.toLocaleLowerCase() === wanted)?.value ?? typed.trim();
	};
	const all = () => (typed === "" || values.includes(meant()) ? values : [...values, meant()]);
	return {
		...{ field, operator, values, typed, isList, setOperator, type },
		suggested: suggestions.map(({ shown }) => shown),
		chosen: () => (isList ? all() : [meant()]),
		drop: (value: string) => setValues(values.filter((one) => one !== value)),
		setField: (next: Filter["field"]) => {
			setField(next);
			setValues([]);
			type("");
			if (!operatorsOf(next).includes(operator)) setOperator("eq");
		},
		addOnEnter: (event: KeyboardEvent) => {
			if (event.key !== "Enter" || !isList || typed === "") return;
			event.preventDefault();
			setValues(all());
			type("");
		},
	};
}

interface ValueFieldProps {
	readonly isList: boolean;
	readonly required: boolean;
	readonly typed: string;
	readonly onType: (typed: string) => void;
	readonly onKeyDown: (event: KeyboardEvent) => void;
	readonly options: readonly string[];
}

function ValueField({ isList, required, typed, onType, onKeyDown, options }: ValueFieldProps) {
	const list = useId();
	return (
		<>
			<Field
				label={isList ? t.values : t.value}
				hint={isList && t.hint}
				required={required}
				list={list}
				autoComplete="off"
				autoFocus
				value={typed}
				onChange={(event) => onType(event.target.value)}
				onKeyDown={onKeyDown}
			/>
			<datalist id={list}>
				{[...new Set(options)].map((option) => (
					<option key={option} value={option} />
				))}
			</datalist>
		</>
	);
}

function ValueTag({ shown, onDrop }: { readonly shown: string; readonly onDrop: () => void }) {
	return (
		<li className={styles.value}>
			<span className={styles.text} title={shown}>
				{shown}
			</span>
			<Button look="quiet" small icon aria-label={t.without(shown)} onClick={onDrop}>
				<X size={14} aria-hidden="true" />
			</Button>
		</li>
	);
}
