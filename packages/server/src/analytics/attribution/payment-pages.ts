import { type DomainTable, findByDomain } from "./domain-table.ts";
import { plainHost } from "./page-address.ts";

/**
 * Payment providers, bank pages and 3-D Secure hosts: a visitor who comes back from one was on the site before.
 * A domain stands for its subdomains too.
 */
const bundled = `
2checkout.com 2co.com 3ds.com.br 3ds.modirum.com 3dsecure.az 3dsecure.cz 3dsecure.io 3dsecure.no 3dsecure.pl
3dsintegrator.com ac3dsecure.com acs-mode.com acs.evry.com acs.sia.eu adyen.com affirm.com afterpay.com
airwallex.com alipay.com alma.eu alternativepayments.com amazonpay.com aplazame.com aplazo.mx arcot.com
authorize.net authorizenet.com bambora.com bancontact.com bankid.com bankid.no barclaycardsmartpay.com billdesk.com
billie.io bitpay.com bizum.es blik.com bluesnap.com boletobancario.com braintree-api.com braintreegateway.com
braintreepayments.com buckaroo.nl cardinalcommerce.com cardinaltrusted.com cardlink.gr cashfree.com ccavenue.com
ccbill.com chargebee.com checkout.com checkout.postfinance.ch checkout.revolut.com checkout.zip.co clearpay.co.uk
clearpay.com clicksafe.lloydstsb.com coinbase-commerce.com collector.se commerce.coinbase.com computop-paygate.com
conekta.com conekta.io credorax.net culqi.com cybersource.com datatrans.ch datatrans.com dibs.se dibspayment.eu
dlocal.com dotpay.pl e-payment.postfinance.ch easytransac.com ebanx.com elavon.com elavonpayments.com
enrolledsecure.com enstage.com epay.bg epay.dk epoch.com eway.com.au ewayrapid.com fastspring.com fawry.com
flutterwave.com flutterwave.ng fondy.eu giropay.de globalpay-ecommerce.com globalpay.com globalpaymentsinc.com
gocardless.com gpayments.net heidelpay.com hipay-tpp.com hipay.com hyperpay.com ideal.nl instamojo.com ipay88.com
ipayafrica.com iyzico.com iyzipay.com jazzcash.com.pk juspay.in klarna.com klarnapayments.com komoju.com
kueskipay.com kushkipagos.com laybuy.com lemonsqueezy.com lemonway.com lyra.com mangopay.com mercadopago.cl
mercadopago.com mercadopago.com.ar mercadopago.com.br mercadopago.com.co mercadopago.com.mx mercanet.bnpparibas.net
midtrans.com mobilepay.dk mobilepay.fi mollie.com monei.com moneris.com monext.fr moneybookers.com monnify.com
multibanco.pt multisafepay.com mybank.eu netaxept.no netbanx.com netcetera-payment.ch neteller.com nets.eu nexi.it
nexigroup-acs.com nmi.com novalnet.de nuvei.com ogone.com oney.com oney.es oney.fr opayo.co.uk openpay.mx
paddle.com pagamastarde.com pagantis.com pagar.me pagbank.com.br pagseguro.com pagseguro.uol.com.br pay.amazon.com
pay.google.com pay.nl pay1.de paybox.com payco.co paycomet.com payconiq.com paydock.com payeer.com payex.com
payfast.co.za payfast.io payfort.com paygate.co.za paygent.co.jp payhere.lk payjp.jp paylane.com payline.com
paymark.co.nz paymaya.com paymentexpress.com paymenthub.com payments.amazon.com payments.worldline.com
paymentsense.com paymentwall.com paymongo.com paynl.com payone.com payone.gmbh payoneer.com paypal.com paypal.me
paypalobjects.com paypay.ne.jp paypo.pl paysafe.com paysafecard.com paysera.com payson.se paystack.co paystack.com
paytabs.com paytm.com paytm.in paytr.com paytrail.com payu.com payu.in payubiz.in payulatam.com payvision.com
payway.com.au payzen.eu peachpayments.com pensopay.com placetopay.co placetopay.com placetopay.ec polipayments.com
przelewy24.pl quadpay.com quickpay.net rapipago.com.ar rapyd.net ratepay.com razorpay.com realex.com
realexpayments.com recurly.com redsys.es robokassa.ru rsa3dsauth.co.uk rsa3dsauth.com safecharge.com
safekey.americanexpress.com saferpay.com sagepay.com satispay.com scalapay.com secure.visa.com securecode.com
securecode.mastercard.com securepay.com.au securesuite.co.uk securesuite.net securionpay.com sequra.com sequra.es
sezzle.com sibs.pt sips-atos.com sips-payment.com sips-services.com skrill.com smart2pay.com sofort.com
spreedly.com square.link squareup.com sslcommerz.com stripe.com stripe.network sumup.com sunbit.com svea.com
swedbankpay.com swish.nu systempay.fr tabby.ai tamara.co tap.company tappay.io telr.com thawani.om tinka.nl
touchtechpayments.com tpay.com transact.nab.com.au transbank.cl trustly.com trustpay.eu twikey.com twint.ch
unzer.com verifiedbyvisa.com vindi.com.br vipps.no vippsmobilepay.com viva.com vivapayments.com vivawallet.com
walley.se wayforpay.com wepay.com wibmo.com wirecard.com wlp-acs.com wompi.co wompi.com worldline-solutions.com
worldpay.com worldpay.io xendit.co xsolla.com yoco.com yookassa.ru yoomoney.ru zaver.com zipmoney.com.au
`;

/** Domains of payment pages, ready for look-up. */
export type PaymentPages = DomainTable<true>;

/** The bundled payment pages together with further domains that the operator names. */
export function paymentPages(extraDomains: readonly string[]): PaymentPages {
	const domains = [...bundled.trim().split(/\s+/), ...extraDomains.map(plainHost)];
	return new Map(domains.map((domain) => [domain, true]));
}

/** True when a host (lower-case, without `www.`) serves payment pages. */
export function isPaymentHost(pages: PaymentPages, host: string): boolean {
	return findByDomain(pages, host) !== undefined;
}
