import type { Press } from '../publishing.ts'

/** What Northwind Labs shows the public: nothing of it is what a tenant begins with. */
export const northwindPress: Press = {
  editor: 'isla.macleod',
  categories: [
    { slug: 'field-notes', name: 'Field notes', description: 'From boats, piers and very small harbours.' },
    { slug: 'data', name: 'Data', description: 'What the buoys have measured, and how far it can be trusted.' },
    { slug: 'people', name: 'People', description: 'Who we are and whom we meet.' },
  ],
  articles: [
    {
      title: 'Fourteen buoys before the ice',
      category: 'field-notes',
      author: 'Diego Fuentes',
      week: 6,
      summary: 'Three fjords, two weekends and a skipper with strong opinions about knots.',
      tags: ['campaign', 'moorings'],
      content: [
        'A buoy leaves our hands when it has been heard from twice. The first message only proves that it can speak; the second that it wants to.',
        'Number 13 never spoke at all. It is back on the bench, and it was not the number.',
        'In October we come back for the batteries. If you meet one of them before that: it is yellow, it is harmless, and there is a telephone number on its belly.',
      ],
      comments: [
        'pavel.novotny: The skipper was right about the knots.',
        'thandiwe.dlamini: 13 had a hair in its sealing ring. One hair.',
        '(hidden) felix.braun: What did the second weekend cost us again?',
      ],
    },
    {
      title: 'What flag 4 means',
      category: 'data',
      author: 'Maren Vogel',
      week: 11,
      summary: 'We publish wrong values, on purpose, and mark them. Here is why.',
      tags: ['quality', 'open data'],
      content: [
        'A value that is obviously wrong tells you when the probe was dirty, how long, and what dirty looks like. Thrown away, it tells you nothing.',
        'So each value carries a flag from 1, which we would bet on, to 4, which is wrong. Charts on our pages show 1 and 2. The download has them all.',
        'If you find a 4 among the 1s, write to us. It happens, and we say thank you by name.',
      ],
      comments: [
        'hana.kobayashi: And 9 for “there was no bottle”. Please do not forget the 9.',
        'omar.khalil: The interface takes `flags=1,2` since yesterday.',
        'isla.macleod: The students of class 8b found two. Thank you, Sunniva and Eirik!',
      ],
    },
    {
      title: 'The fisherman who called',
      category: 'people',
      author: 'Isla MacLeod',
      week: 17,
      summary: 'Buoy 9 came up in a net. Its finder kept it dry and had questions.',
      tags: ['visit'],
      content: [
        'Arne Haugland has fished in this fjord for forty years. He had always wanted to know how warm it is down there, and now there was a thing in his net that knew.',
        'He showed us three places where the water does not behave as our model says. We have moved a station for one of them.',
      ],
      comments: [
        'astrid.solheim: The net has been replaced. The coffee was ours, the cake was his.',
        '(hidden) samuel.njoroge: Test comment from the train, please delete.',
      ],
    },
    {
      title: 'A quiet autumn in the Sognefjord',
      category: 'data',
      author: 'Maren Vogel',
      week: 23,
      summary: 'The deep water is a third of a degree warmer than last year. Three ways to read that.',
      tags: ['results'],
      content: [
        'One: it is warmer. Two: the storm that turns the water over every September has not come. Three: probe 31 drifts. We have ruled out the third one.',
        'Between the first two we cannot decide with two years of data. Ask us again in five.',
      ],
      comments: ['diego.fuentes: The storm has come. On 4 November, when the boat was in the water, of course.'],
    },
    {
      title: 'Winter series: sixty new nodes',
      category: 'field-notes',
      author: 'Rūta Kazlauskaitė',
      week: 'draft',
      summary: 'Half the power, and a connector for cold hands. To be published when the boards are here.',
      tags: ['hardware'],
      content: ['Missing: a picture with gloves, the price, and whether we say anything about the capacitor.'],
      comments: [],
    },
    {
      title: 'Annual report, first draft',
      category: 'people',
      week: 'draft',
      summary: 'Figures from Felix, stories from everybody. Deadline is the first of December.',
      tags: [],
      content: ['Stations: 14. Values: 1.9 million. Visitors at the open day: 212, of whom 60 asked about the cake.'],
      comments: [],
    },
  ],
  portal: {
    home: {
      highlights: [
        {
          title: 'Water you can look up',
          description: 'Temperature, salt and oxygen from fourteen stations, an hour old at most.',
        },
        {
          title: 'Open, all of it',
          description: 'No account, no fee, no form. Take the data and say where it comes from.',
        },
        {
          title: 'Made to stay out',
          description: 'Our buoys stand a winter at sea. We build them ourselves, and we go and get them.',
        },
      ],
      stats: [
        { label: 'Stations', value: '14' },
        { label: 'Measurements', value: '1.9 million' },
        { label: 'Fjords', value: '3' },
        { label: 'Buoys lost', value: '1, and found' },
      ],
      testimonials: [
        {
          content: 'I used to put my hand in. Now I look, and then I put my hand in.',
          name: 'Arne Haugland',
          role: 'Fisherman, Nordfjord',
        },
        {
          content: 'The only data set that my students have ever thanked me for.',
          name: 'Solveig Brekke',
          role: 'Teacher of class 8b',
        },
      ],
    },
    features: [
      { id: 1, title: 'Station map', description: 'Loads on a boat, with one bar of reception.', icon: 'map' },
      { id: 2, title: 'Download', description: 'CSV by station and month, flags included.', icon: 'download' },
      { id: 3, title: 'Alarms', description: 'A message when your water gets too warm for your fish.', icon: 'bell' },
      { id: 4, title: 'Interface', description: 'One address, no key, described in a page.', icon: 'code' },
    ],
    product: {
      name: 'Northwind node',
      slogan: 'It measures where you would rather not stand',
      highlights: [
        { title: 'Two winters on one battery', description: 'At a message an hour, tested in real winters.' },
        { title: 'Opens with gloves on', description: 'No screw is smaller than a coin.' },
        { title: 'Repairs with a kitchen knife', description: 'Every part can be bought, every drawing can be read.' },
      ],
    },
    pricing: [
      {
        id: 1,
        name: 'Open data',
        description: 'For everybody.',
        price: 'Free',
        period: 'forever',
        features: ['All stations', 'All values', 'Say where it comes from'],
        highlighted: false,
        amountCents: 0,
        currency: 'CNY',
      },
      {
        id: 2,
        name: 'Alarm',
        description: 'For fish farms and harbours.',
        price: '¥480',
        period: 'year',
        features: ['Ten limits', 'Message and call', 'Stations of your choice'],
        highlighted: true,
        amountCents: 48_000,
        currency: 'CNY',
      },
      {
        id: 3,
        name: 'A station of your own',
        description: 'We build it, moor it and look after it.',
        price: '¥19,000',
        period: 'year',
        features: ['One buoy', 'Two visits a year', 'Your name on the map'],
        highlighted: false,
        amountCents: 1_900_000,
        currency: 'CNY',
      },
    ],
    faq: [
      {
        id: 1,
        question: 'I have found a buoy. What now?',
        answer: 'Keep it dry, do not open it, and call the number on its belly. There will be coffee.',
        category: 'Buoys',
      },
      {
        id: 2,
        question: 'May I use the data in my thesis?',
        answer: 'Yes, and you need not ask. We are glad to read it when it is done.',
        category: 'Data',
      },
      {
        id: 3,
        question: 'Why is there a gap in February?',
        answer: 'Ice on the antenna. We mark it and do not fill it.',
        category: 'Data',
      },
    ],
    docs: [
      {
        id: 1,
        title: 'Data',
        description: 'From the probe to your spreadsheet.',
        items: [
          { path: '/docs/data/flags', title: 'What the flags mean' },
          { path: '/docs/data/download', title: 'Download a month' },
        ],
      },
      {
        id: 2,
        title: 'Interface',
        description: 'For programs and for classes.',
        items: [
          { path: '/docs/interface/stations', title: 'Stations' },
          { path: '/docs/interface/series', title: 'Series of measurements' },
        ],
      },
    ],
    about: {
      intro:
        'Twelve people in an old boat house. We build instruments, put them into cold water and publish what they say. The municipality pays a third, research a third, and the last third is people who want to know.',
      stats: [
        { label: 'People', value: '12' },
        { label: 'Boats', value: 'one, chartered' },
        { label: 'Since', value: '2022' },
      ],
      team: [
        { name: 'Astrid Solheim', role: 'Founder', avatar: '' },
        { name: 'Hana Kobayashi', role: 'Chemistry', avatar: '' },
        { name: 'Diego Fuentes', role: 'Field work', avatar: '' },
        { name: 'Rūta Kazlauskaitė', role: 'Electronics', avatar: '' },
        { name: 'Omar Khalil', role: 'Software', avatar: '' },
      ],
      milestones: [
        { date: '2022-09', title: 'One probe', description: 'On a rope, from a pier, read by hand.' },
        {
          date: '2024-04',
          title: 'Two stations',
          description: 'In the Nordfjord; one of them is still the first one.',
        },
        { date: '2026-06', title: 'Fourteen', description: 'Before the ice, as promised.' },
      ],
    },
  },
  messages: [
    {
      name: 'Solveig Brekke',
      email: 'solveig.brekke@skole.example',
      message:
        'Class 8b would like to visit the boat house in January. Twenty-four pupils, very curious, half of them careful.',
    },
    {
      name: 'Fjordlaks drift',
      email: 'drift@fjordlaks.example',
      message: 'We need oxygen at 15 metres as well. Can a station measure at two depths?',
    },
    {
      name: 'Jonathan P.',
      email: 'jp@uni.example',
      message: 'NW-05 says 31 degrees on 2 August at noon. Flag 1. I think that is the gull again.',
    },
    {
      name: 'Turid',
      email: 'turid@mail.example',
      message: 'How warm is it off Rosendal? I cannot find the map on my telephone.',
    },
  ],
  orders: [
    { by: 'felix.braun', planId: 2, channel: 'card', week: 14 },
    { by: 'isla.macleod', planId: 3, channel: 'alipay', week: 22 },
    { by: 'felix.braun', planId: 3, channel: 'card', week: 'now' },
  ],
}
