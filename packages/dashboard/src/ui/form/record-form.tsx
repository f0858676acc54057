import { type UseQueryOptions, useQuery } from "@tanstack/react-query";
import { type ComponentProps, type ReactNode, useCallback, useEffect, useRef } from "react";
import type { FormState } from "../../lib/use-form.ts";
import { Dialog } from "../dialog/dialog.tsx";
import { Loaded } from "../loaded/loaded.tsx";
import { Cancel, Form, Submit } from "./form.tsx";
import styles from "./record-form.module.css";

interface RecordFormProps {
	readonly form: FormState;
	/** Label of the submit button; “Save” by default. */
	readonly action?: string;
	/** Throws the draft away. Closing the dialog does not. */
	readonly onCancel: () => void;
	/** Called with the form at first, and whenever something in it changes; stays the same function. */
	readonly onType?: (form: HTMLFormElement) => void;
	readonly children: ReactNode;
}

/** The form of a record in a dialog: its draft is kept until it is sent or thrown away. */
export function RecordForm({ form, action, onCancel, onType, children }: RecordFormProps) {
	const element = useRef<HTMLFormElement>(null);
	const { ref: restore, onInput } = form.keeping;
	const ref = useCallback(
		(shown: HTMLFormElement | null) => {
			element.current = shown;
			restore(shown);
		},
		[restore],
	);
	// The draft was restored into the fields, which sends no event.
	useEffect(() => {
		if (element.current !== null) onType?.(element.current);
	}, [onType]);
	return (
		<Form
			form={form}
			ref={ref}
			className="stack-16"
			onInput={(event) => {
				onInput(event);
				onType?.(event.currentTarget);
			}}
		>
			{children}
			<div className={styles.actions}>
				<Cancel
					onClick={() => {
						form.forget();
						onCancel();
					}}
				/>
				<Submit>{action}</Submit>
			</div>
		</Form>
	);
}

/** Fields beside each other where there is room. */
export const Pair = ({ children }: { readonly children: ReactNode }) => <div className={styles.pair}>{children}</div>;

interface RecordDialogProps<Row> extends Omit<ComponentProps<typeof Dialog>, "children"> {
	/** The record that is changed, as it is now; a new one without it. */
	readonly query: UseQueryOptions<Row> | undefined;
	readonly children: (row: Row | undefined) => ReactNode;
}

/** The dialog of a new record or a changed one. */
export const RecordDialog = <Row,>({ query, children, ...dialog }: RecordDialogProps<Row>) => (
	<Dialog {...dialog}>{query === undefined ? children(undefined) : <Current query={query}>{children}</Current>}</Dialog>
);

const Current = <Row,>({
	query,
	children,
}: Required<Pick<RecordDialogProps<Row>, "children">> & { readonly query: UseQueryOptions<Row> }) => (
	<Loaded query={useQuery(query)}>{children}</Loaded>
);
