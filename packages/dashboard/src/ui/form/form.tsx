import { type FormHTMLAttributes, type ReactNode, type Ref, useContext } from "react";
import { FormContext } from "../../lib/form-context.ts";
import { texts } from "../../lib/language.ts";
import type { FormState } from "../../lib/use-form.ts";
import { Button, type ButtonProps } from "../button/button.tsx";
import { Problem } from "../page/form-page.tsx";

interface FormProps extends FormHTMLAttributes<HTMLFormElement> {
	readonly ref?: Ref<HTMLFormElement>;
	readonly form: FormState;
	/** Text above the error. */
	readonly intro?: ReactNode;
	/** Replaces the error of the form. */
	readonly problem?: ReactNode;
}

/** A form with its error on top; its fields show theirs, and keep a draft where the form has one. */
export const Form = ({
	form,
	intro,
	problem = <Problem failure={form.failure} />,
	children,
	...attributes
}: FormProps) => (
	<FormContext.Provider value={form}>
		<form {...form.keeping} {...attributes}>
			{intro}
			{problem}
			{children}
		</form>
	</FormContext.Provider>
);

const t = texts({ en: { save: "Save", cancel: "Cancel" }, es: { save: "Guardar", cancel: "Cancelar" } });

/** The button that sends the form around it; “Save” by default. */
export const Submit = ({ children = t.save, ...props }: Partial<ButtonProps>) => (
	<Button type="submit" look="primary" disabled={useContext(FormContext)?.isBusy} {...props}>
		{children}
	</Button>
);

/** Leaves a form as it is. */
export const Cancel = ({ onClick }: { readonly onClick: () => void }) => <Button onClick={onClick}>{t.cancel}</Button>;
