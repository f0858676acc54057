import { type DomainTable, findByDomain } from "./domain-table.ts";
import { plainHost } from "./page-address.ts";

/**
 * Payment providers, bank pages and 3-D Secure hosts: a visitor who comes back from one was on the site before.
 * A domain stands for its subdomains too.
 */
const bundled = `
2c2p.com 2checkout.com 2co.com 3ds.com.br 3ds.modirum.com 3dsecure.az 3dsecure.cz 3dsecure.io 3dsecure.no
3dsecure.pl 3dsintegrator.com 3gdirectpay.com 95516.com ac3dsecure.com acs-mode.com acs.evry.com acs.sia.eu
addi.com addonpayments.com adyen.com affirm.com afterpay.com afterpay.nl airwallex.com alipay.com alma.eu
alphaecommerce.gr alternativepayments.com amazonpay.com anydaysolutions.com aplazame.com aplazo.mx arcot.com
asaas.com atome.sg authorize.net authorizenet.com autopay.eu autopay.pl avangate.com avarda.com axepta.it
bambora.com bancontact.com bankid.com bankid.no barclaycardsmartpay.com barion.com besteron.com billdesk.com
billie.io billink.nl billplz.com bitpay.com bizum.es blik.com bluemedia.pl bluesnap.com bold.co boletobancario.com
bolt.com borica.bg bpoint.com.au braintree-api.com braintreegateway.com braintreepayments.com breadpayments.com
briqpay.com britepayments.com buckaroo.nl cardcom.solutions cardinalcommerce.com cardinaltrusted.com cardlink.gr
cardstream.com cash.app cashfree.com ccavenue.com ccbill.com ceca.es cetelem.es chapa.co chargebee.com chargify.com
checkout.clover.com checkout.com checkout.fi checkout.postfinance.ch checkout.revolut.com checkout.shopify.com
checkout.zip.co cieloecommerce.cielo.com.br cinetpay.com clearpay.co.uk clearpay.com cleverbridge.com
clicksafe.lloydstsb.com clip.mx cloudpayments.ru cofidis.es cofidis.fr coinbase-commerce.com coingate.com
coinpayments.net collector.se comgate.cz commerce.coinbase.com computop-paygate.com concardis.com conekta.com
conekta.io convergepay.com copecart.com craftgate.io credorax.net culqi.com cybersource.com danal.co.kr
datatrans.ch datatrans.com decidir.com dibs.se dibspayment.eu digistore24.com digitalriver.com dlocal.com dojo.tech
doku.com dotpay.pl dpogroup.com dragonpay.ph duitku.com e-payment.postfinance.ch e-transactions.fr easebuzz.in
easycredit-ratenkauf.de easypay.pt easytransac.com ebanx.com elavon.com elavonpayments.com enrolledsecure.com
enstage.com epay.bg epay.dk epayco.co epayco.com epoch.com eupago.pt euplatesc.ro eurocommerce.gr eway.com.au
ewayrapid.com eximbay.com faspay.co.id fastspring.com fawry.com fintecture.com firstdata.com fiuu.com floapay.com
flow.cl flutterwave.com flutterwave.ng fondy.eu frisbii.com gcash.com geidea.net getneteurope.com getsimpl.com
giropay.de globalpay-ecommerce.com globalpay.com globalpaymentsinc.com gmo-pg.com gocardless.com gopay.com gopay.cz
gpayments.net gpwebpay.com heidelpay.com hipay-tpp.com hipay.com hit-pay.com hyperpay.com icepay.com ideal.nl
ifthenpay.com imoje.pl in3.nl inicis.com instamojo.com interswitchng.com ipay88.com ipayafrica.com ipg-online.com
iugu.com iyzico.com iyzipay.com izipay.pe jazzcash.com.pk judopay.com juspay.in kakaopay.com kashier.io
katapult.com kcp.co.kr khipu.com klarna.com klarnapayments.com knet.com.kw komoju.com kueskipay.com kushkipagos.com
latitudepay.com laybuy.com lazypay.in lemonsqueezy.com lemonway.com link.com liqpay.ua lyra.com mangopay.com
maya.ph mbway.pt mercadopago.cl mercadopago.com mercadopago.com.ar mercadopago.com.br mercadopago.com.co
mercadopago.com.mx mercadopago.com.pe mercadopago.com.uy mercanet.bnpparibas.net meshulam.co.il micropayment.de
midtrans.com mobbex.com mobikwik.com mobilepay.dk mobilepay.fi mobilpay.ro mollie.com molpay.com momo.vn monei.com
moneris.com monetico-services.com monext.fr moneybookers.com monnify.com moyasar.com mul-pay.jp multibanco.pt
multisafepay.com mybank.eu myfatoorah.com netaxept.no netbanx.com netcetera-payment.ch neteller.com
netopia-payments.com nets.eu nexi.it nexigroup-acs.com nexigroup.com ngenius-payments.com nicepay.co.kr
niubiz.com.pe nmi.com novalnet.de nowpayments.io nuvei.com ogone.com omise.co oney.com oney.es oney.fr onpay.io
opayo.co.uk opennode.com openpay.com.au openpay.mx opn.ooo oppwa.com outseer.com ozow.com paddle.com
pagamastarde.com pagantis.com pagar.me pagbank.com.br pagolight.it pagseguro.com pagseguro.uol.com.br paidy.com
papara.com param.com.tr pay.amazon.com pay.binance.com pay.clickbank.net pay.google.com pay.hotmart.com
pay.kiwify.com.br pay.line.me pay.naver.com pay.nl pay.rakuten.co.jp pay.shopify.com pay.weixin.qq.com pay1.de
paybox.com payco.co paycomet.com payconiq.com paydock.com payeer.com payeezy.com payex.com payfast.co.za payfast.io
payfort.com paygate.co.za paygent.co.jp paygreen.io payhere.lk payjp.jp paylands.com paylane.com payline.com
paymark.co.nz paymaya.com paymentexpress.com paymenthub.com payments.amazon.com payments.worldline.com
paymentsense.com paymentwall.com paymob.com paymongo.com paynl.com paynow.pl payolution.com payon.com payone.com
payone.gmbh payoneer.com paypal.com paypal.me paypalobjects.com paypay.ne.jp payplug.com payplus.co.il paypo.pl
payproglobal.com payrexx.com paysafe.com paysafecard.com paysera.com payson.se paystack.co paystack.com paytabs.com
paytm.com paytm.in paytr.com paytrace.com paytrail.com payu.com payu.in payubiz.in payulatam.com payvision.com
payway.com.au payzen.eu peachpayments.com pelecard.biz pensopay.com pesapal.com phonepe.com picpay.com
pinpayments.com placetopay.co placetopay.com placetopay.ec plaid.com pledg.co polar.sh polipayments.com
portmone.com.ua postepay.it postpay.io przelewy24.pl pse.com.co qiwi.com qliro.com quadpay.com quickpay.net
rapipago.com.ar rapyd.net ratepay.com razorpay.com realex.com realexpayments.com recurly.com redsys.es reepay.com
remita.net resurs.com riverty.com robokassa.ru rsa3dsauth.co.uk rsa3dsauth.com safecharge.com
safekey.americanexpress.com saferpay.com sagepay.com satispay.com sbpayment.jp scalapay.com scanpay.dk secupay.com
secure.visa.com securecode.com securecode.mastercard.com securepay.com.au securepay.tinkoff.ru
securepayments.sberbank.ru securesuite.co.uk securesuite.net securetrading.net securionpay.com senangpay.my
sequra.com sequra.es sezzle.com shop.app shophumm.com sibs.pt simplepay.hu sipay.com.tr sips-atos.com
sips-payment.com sips-services.com six-payment-services.com skrill.com smart2pay.com sofort.com
sogecommerce.societegenerale.eu soisy.it spraypay.nl spreedly.com square.link squareup.com sslcommerz.com
stancer.com stripe.com stripe.network sumup.com sunbit.com svea.com swedbankpay.com swish.nu systempay.fr tabby.ai
tamara.co tap.company tappay.io telr.com tenpay.com thawani.om thepay.cz tikkie.me tink.com tinka.nl token.io
tosspayments.com touchtechpayments.com toyyibpay.com tpay.com transact.nab.com.au transbank.cl tranzila.com
truelayer.com trustly.com trustpay.eu trustpayments.com twikey.com twint.ch twisto.cz twisto.pl unionpay.com
unionpayintl.com universalpay.es unzer.com usaepay.com userede.com.br venmo.com verifiedbyvisa.com veritrans.co.jp
viabill.com vindi.com.br vipps.no vippsmobilepay.com viva.com vivapayments.com vivawallet.com vnpay.vn vnpayment.vn
volt.io vr-payment.de wallee.com walley.se wayforpay.com wepay.com wero-wallet.eu wibmo.com windcave.com
wirecard.com wlp-acs.com wompi.co wompi.com worldline-solutions.com worldpay.com worldpay.io xendit.co xsolla.com
yapily.com yoco.com yookassa.ru yoomoney.ru zalopay.vn zaver.com zipmoney.com.au
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
