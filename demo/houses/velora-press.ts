import type { Press } from '../publishing.ts'

/** Velora's portal is the one that every tenant begins with; its blog has a corner of its own. */
export const veloraPress: Press = {
  editor: 'chloe.dubois',
  categories: [
    {
      slug: 'workshop',
      name: 'Workshop',
      description: 'How our bikes are made, and what we learn from those that broke.',
    },
    { slug: 'on-the-road', name: 'On the road', description: 'People, loads and hills.' },
  ],
  articles: [
    {
      title: 'A bike that has carried a piano',
      category: 'on-the-road',
      author: 'Chloé Dubois',
      week: 5,
      summary: 'Two brothers in Antwerp move houses by bike. They asked us not to try this at home.',
      tags: ['customers', 'loads'],
      content: [
        'The piano is an upright and weighs 180 kilograms, which is 20 more than we allow. We say so at the beginning, because our lawyers read this page too.',
        'Pieter and Wout have moved 43 households this year. A third floor without a lift takes them as long as anybody else; finding a place to stop takes them no time at all.',
        'What they wish for is a lower box and a second brake lever. The lower box comes in spring. We are thinking about the lever.',
      ],
      comments: [
        'bjorn.haugen: For the record: the frame would hold 400. It is the wheels I worry about.',
        'marcus.webb: Can we have that photograph for the spring campaign?',
        '(hidden) sofia.rossi: CHEAP CARGO BIKES — just testing whether this goes live without a check, sorry!',
        'noor.haddad: The strap over the left pedal is not where I drew it. It is better there.',
      ],
    },
    {
      title: 'Why the brake lever got shorter',
      category: 'workshop',
      author: 'Bjørn Haugen',
      week: 10,
      summary: 'Eleven millimetres, four prototypes and one very patient tester with small hands.',
      tags: ['brakes', 'design'],
      content: [
        'A lever is as long as the hand that was measured when it was designed. Ours was 96 millimetres, made for a hand that half of our riders do not have.',
        'We cut it to 85 in four steps, and gave it a screw for the reach. The force at the wheel stayed the same, because the pivot moved along.',
        'Older bikes can have the new lever. It takes a quarter of an hour and a 5 mm key; dealers have a box of them.',
      ],
      comments: [
        'yuki.nakamura: I am the very patient tester. It is good now.',
        'liam.oconnor: Dealers ask for more of the 5 mm keys. They seem to travel.',
      ],
    },
    {
      title: 'We measured a rainy week',
      category: 'workshop',
      author: 'Priya Raghavan',
      week: 18,
      summary: 'Does rain cost range? Yes, and not where we had looked for it.',
      tags: ['battery', 'data'],
      content: [
        'A battery gives about eight percent less on a wet day. We had blamed the cold for years. It is the tyres: water between rubber and road costs more than ten degrees do.',
        'We compared 2 140 trips of the same bikes on the same streets. The figures of all trips, without names and places, can be had on request.',
        'What you can do: pump. Half a bar too little costs more than the rain.',
      ],
      comments: [
        'anders.nygaard: It was not the battery. I should like to have that in writing. Ah, I have.',
        '(hidden) hugo.lefebvre: Priya, “wet rubber” will be misread by exactly the people you think. Can we change the second sentence?',
        'arjun.mehta: Reproduced from the raw data. It took me an afternoon and gave the same number.',
        'amara.okafor: Sent this to three customers today. Two have pumped.',
      ],
    },
    {
      title: 'The spring box: first pictures',
      category: 'workshop',
      author: 'Noor Haddad',
      week: 'draft',
      summary: 'Lower, longer and with a drain. Not to be shown before the dealers’ day.',
      tags: ['spring', 'box'],
      content: [
        'The floor of the box sinks by nine centimetres. That makes loading easier, and it makes every speed bump our business.',
        'To do: pictures from hall 2, the price, and a sentence about the drain that does not sound like a boat.',
      ],
      comments: [],
    },
  ],
  portal: {},
  messages: [
    {
      name: 'Jette Sørensen',
      email: 'jette@brodbilen.example',
      message: 'We deliver bread to eleven cafés and would like to try two bikes for a month. Do you rent?',
    },
    {
      name: 'Omer Yildiz',
      email: 'omer.yildiz@mail.example',
      message: 'My key card stopped working in the rain. The dealer says two days. Today is day three. What now?',
    },
    {
      name: 'A. Bakker',
      email: 'bakker@gemeente.example',
      message:
        'Could somebody come to our council meeting on 9 December and say something about parking for cargo bikes?',
    },
  ],
  orders: [
    { by: 'greta.vandenberg', planId: 2, channel: 'card', week: 12 },
    { by: 'greta.vandenberg', planId: 3, channel: 'alipay', week: 24 },
    { by: 'mei.tanaka', planId: 2, channel: 'wechat', week: 'now' },
  ],
}
