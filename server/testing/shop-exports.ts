/** For tests: the exports of other shops, in the shape of their published columns. */

const csv = (header: string, ...rows: string[]) => `${[header, ...rows].join('\n')}\n`;

/** Two sales, one of them refunded in part; a failed payment, one not captured, and a lost and an open dispute. */
export const stripeExport = csv(
  'id,Created date (UTC),Amount,Amount Refunded,Currency,Captured,Converted Amount,Converted Currency,Description,Fee,Mode,Status,Customer Email,Disputed Amount,Dispute Status,Invoice ID,Checkout Session ID,PaymentIntent ID,UTM Source',
  'ch_1,2026-01-31 09:30:15,97.00,0.00,usd,true,97.00,usd,Audit,3.11,Live,Paid,ada@example.com,,,,cs_1,pi_1,newsletter',
  'ch_2,2026-02-01 10:00:00,"1,250.50",250.50,eur,true,"1,340.00",usd,"Audit, large",36.58,Live,Partially refunded,bo@example.com,,,,,pi_2,',
  'ch_3,2026-02-02 10:00:00,12000,12000,jpy,true,80.00,usd,Audit,2.00,Live,Refunded,cy@example.com,,,,,pi_3,',
  'ch_4,2026-02-03 10:00:00,97.00,0.00,usd,false,97.00,usd,Audit,0.00,Live,Failed,di@example.com,,,,,pi_4,',
  'ch_5,2026-02-03 11:00:00,97.00,0.00,usd,false,97.00,usd,Audit,0.00,Live,Paid,di@example.com,,,,,pi_5,',
  'ch_6,2026-02-04 10:00:00,97.00,0.00,usd,true,97.00,usd,Audit,3.11,Live,Paid,eve@example.com,97.00,lost,,,pi_6,',
  'ch_7,2026-02-05 10:00:00,97.00,0.00,usd,true,97.00,usd,Audit,3.11,Live,Paid,flo@example.com,97.00,needs_response,,,pi_7,',
  'ch_8,2026-02-06 10:00:00,97.00,0.00,usd,true,97.00,usd,Audit,3.11,Test,Paid,test@example.com,,,,,pi_8,',
  'ch_9,2026-02-07 10:00:00,29.00,0.00,usd,true,29.00,usd,Club,1.14,Live,Paid,gil@example.com,,,in_9,cs_9,pi_9,',
);

export const gumroadExport = csv(
  'Purchase ID,Item Name,Buyer Name,Purchase Email,Buyer Email,Do not contact?,Purchase Date,Purchase Time (UTC timezone),Subtotal ($),Taxes ($),Tax Type,Shipping ($),Sale Price ($),Fees ($),Net Total ($),Tip ($),Tax Included in Price?,Referrer,Refunded?,Partial Refund ($),Fully Refunded?,Disputed?,Dispute Won?,Recurring Charge?,Free trial purchase?,Pre-order authorization?',
  'Aa1==,Guide,Ada,ada@example.com,,0,2026-01-31,2026-01-31 09:30:15 UTC,49.0,0.0,,0.0,49.0,5.4,43.6,0.0,,https://twitter.com/,0,0.0,0,0,0,0,0,0',
  'Bb2==,Guide,Bo,bo@example.com,,0,2026-02-01,2026-02-01 10:00:00 UTC,49.0,0.0,,0.0,49.0,5.4,43.6,0.0,,direct,1,10.5,0,0,0,0,0,0',
  'Cc3==,Guide,Cy,cy@example.com,,0,2026-02-02,2026-02-02 10:00:00 UTC,49.0,0.0,,0.0,49.0,5.4,43.6,0.0,,direct,1,0.0,1,0,0,0,0,0',
  'Dd4==,Guide,Di,di@example.com,,0,2026-02-03,2026-02-03 10:00:00 UTC,49.0,0.0,,0.0,49.0,5.4,43.6,0.0,,direct,0,0.0,0,1,0,0,0,0',
  'Ee5==,Guide,Eve,eve@example.com,,0,2026-02-04,2026-02-04 10:00:00 UTC,0.0,0.0,,0.0,0.0,0.0,0.0,0.0,,direct,0,0.0,0,0,0,0,0,0',
  'Ff6==,Club,Flo,flo@example.com,,0,2026-02-05,2026-02-05 10:00:00 UTC,9.0,0.0,,0.0,9.0,1.4,7.6,0.0,,direct,0,0.0,0,0,0,0,1,0',
  'Totals,,,,,,,,205.0,0.0,,0.0,205.0,23.0,182.0,0.0,,,,10.5,,,,,,',
);

export const lemonSqueezyExport = csv(
  'identifier,order_number,user_name,user_email,status,currency,subtotal,discount_total,tax,total,refunded_amount,product_name,variant_name,country,date_utc,test_mode',
  '0a-1,1,Ada,ada@example.com,paid,USD,49.00,0.00,9.31,58.31,0.00,Guide,Default,DE,2026-01-31 09:30:15,0',
  '0a-2,2,Bo,bo@example.com,partial_refund,EUR,49.00,0.00,0.00,49.00,10.00,Guide,Default,FR,2026-02-01 10:00:00,0',
  '0a-3,3,Cy,cy@example.com,refunded,USD,49.00,0.00,0.00,49.00,49.00,Guide,Default,US,2026-02-02 10:00:00,0',
  '0a-4,4,Di,di@example.com,failed,USD,49.00,0.00,0.00,49.00,0.00,Guide,Default,US,2026-02-03 10:00:00,0',
  '0a-5,5,Eve,eve@example.com,pending,USD,49.00,0.00,0.00,49.00,0.00,Guide,Default,US,2026-02-03 11:00:00,0',
  '0a-6,6,Test,test@example.com,paid,USD,49.00,0.00,0.00,49.00,0.00,Guide,Default,US,2026-02-04 10:00:00,1',
);

/** From Germany: decimal commas and points in dates, separated by commas. */
export const payPalExport = csv(
  '"Date","Time","TimeZone","Name","Type","Status","Currency","Gross","Fee","Net","From Email Address","To Email Address","Transaction ID","Item Title","Reference Txn ID","Balance","Balance Impact"',
  '"31.01.2026","09:30:15","CET","Ada","Express Checkout Payment","Completed","EUR","1.234,50","-30,00","1.204,50","ada@example.com","me@example.com","T1","Audit","","1.204,50","Credit"',
  '"01.02.2026","10:00:00","CET","Bo","Website Payment","Completed","EUR","97,00","-3,00","94,00","bo@example.com","me@example.com","T2","Audit","","1.298,50","Credit"',
  '"02.02.2026","10:00:00","CET","Bo","Payment Refund","Completed","EUR","-40,00","1,00","-39,00","me@example.com","bo@example.com","T3","Audit","T2","1.259,50","Debit"',
  '"03.02.2026","10:00:00","CET","Bo","Payment Refund","Completed","EUR","-7,00","0,00","-7,00","me@example.com","bo@example.com","T4","Audit","T2","1.252,50","Debit"',
  '"04.02.2026","10:00:00","CET","Cy","Website Payment","Pending","EUR","97,00","0,00","97,00","cy@example.com","me@example.com","T5","Audit","","1.252,50","Memo"',
  '"05.02.2026","10:00:00","CET","Di","Payment Refund","Completed","EUR","-97,00","0,00","-97,00","me@example.com","di@example.com","T6","Audit","T0","1.155,50","Debit"',
  '"06.02.2026","10:00:00","CET","","General Withdrawal","Completed","EUR","-500,00","0,00","-500,00","","","T7","","","655,50","Debit"',
  '"07.02.2026","10:00:00","CET","Host","PreApproved Payment Bill User Payment","Completed","EUR","-9,00","0,00","-9,00","me@example.com","host@example.com","T8","Server","","646,50","Debit"',
  '"08.02.2026","10:00:00","CET","","General Currency Conversion","Completed","EUR","85,00","0,00","85,00","","","T9","","T10","731,50","Credit"',
);

/** A shop’s own list, which says nothing of itself: amounts with decimals, days that can be months. */
export const otherExport = csv(
  'Order number,Total,Buyer,Order date,Status',
  '1001,$97.00,ada@example.com,01/02/2026 10:00,paid',
  '1002,"$1,250.00",bo@example.com,02/02/2026 10:00,paid',
  '1002,-$250.00,bo@example.com,03/02/2026 10:00,paid',
  '1003,$97.00,cy@example.com,04/02/2026 10:00,pending',
);
