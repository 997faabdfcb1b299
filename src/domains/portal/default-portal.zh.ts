import type { Portal } from './portal.schemas.ts'

/** The portal that a tenant has until it writes its own, for those who read Chinese. Ids and prices as in English. */
export const chinesePortal: Portal = {
  home: {
    highlights: [
      { title: '有迹可循的项目', description: '任务的每次变更都记录了由谁在何时作出，谁也不必费心去记。' },
      { title: '不会停滞的审批', description: '两步决定，各有其人。轮到谁，谁会立即收到通知。' },
      { title: '团队的同一个地方', description: '部门、文件、通知与公开门户，一次登录即可使用。' },
    ],
    stats: [
      { label: '使用中的团队', value: '1,200+' },
      { label: '已完成的任务', value: '340 万' },
      { label: '可用性', value: '99.95%' },
      { label: '国家和地区', value: '38' },
    ],
    testimonials: [
      {
        content: '我们用它替换了三个工具和一张电子表格。最不怀念的就是那张表格。',
        name: 'Helena Brandt',
        role: '运营负责人，Velora',
      },
      {
        content: '过去要四处询问一周的审批，现在午饭前就能完成。',
        name: 'Marcus Oyelaran',
        role: '财务主管，Northwind',
      },
      { content: '早上看一个页面，就知道部门在做什么。', name: '林晓', role: '部门负责人，Harbour Logistics' },
    ],
  },
  features: [
    {
      id: 1,
      title: '项目与任务',
      description: '成员、优先级、截止日期与评论，以及不可篡改的历史。',
      icon: 'project',
    },
    {
      id: 2,
      title: '两步审批',
      description: '先由部门负责人决定，再由管理员决定。每一步的意见都会保留。',
      icon: 'approval',
    },
    { id: 3, title: '组织', description: '带有负责人和成员的部门树，层级随您的组织而定。', icon: 'organization' },
    { id: 4, title: '文件', description: '文档和图片与相关工作放在一起，其他组织永远看不到。', icon: 'file' },
    { id: 5, title: '审计', description: '谁在哪里做了什么，结果如何。请求内容从不保留。', icon: 'audit' },
    {
      id: 6,
      title: '您自己的门户',
      description: '面向公众的页面、价格、问答与博客，由了解情况的人编辑。',
      icon: 'portal',
    },
  ],
  product: {
    name: 'Atrium',
    slogan: '通向每个部门的那间大厅',
    highlights: [
      { title: '一分钟即可就绪', description: '为组织命名，邀请成员，开始工作。' },
      { title: '天生隔离', description: '每个组织由类型、主键和数据库三重隔离。' },
      { title: '数据归您所有', description: '一切都可以通过一套有文档的接口获取。' },
    ],
  },
  pricing: [
    {
      id: 1,
      name: '免费版',
      description: '适合第一个项目。',
      price: '免费',
      period: '永久',
      features: ['最多 5 人', '3 个项目', '1 GB 文件空间'],
      highlighted: false,
      amountCents: 0,
      currency: 'CNY',
    },
    {
      id: 2,
      name: '团队版',
      description: '适合每天协作的团队。',
      price: '¥299',
      period: '/ 年',
      features: ['最多 50 人', '项目数量不限', '审批', '50 GB 文件空间'],
      highlighted: true,
      amountCents: 29_900,
      currency: 'CNY',
    },
    {
      id: 3,
      name: '商业版',
      description: '适合设有部门的组织。',
      price: '¥999',
      period: '/ 年',
      features: ['最多 500 人', '部门与审计', '公开门户与博客', '500 GB 文件空间'],
      highlighted: false,
      amountCents: 99_900,
      currency: 'CNY',
    },
    {
      id: 4,
      name: '定制版',
      description: '适合特殊需求与私有部署。',
      price: '面议',
      period: '',
      features: ['人数不限', '部署在您自己的服务器上', '专人支持'],
      highlighted: false,
      amountCents: null,
      currency: 'CNY',
    },
  ],
  faq: [
    {
      id: 1,
      question: '需要安装什么吗？',
      answer: '不需要。有浏览器就够了，电脑和手机都可以。',
      category: '入门',
    },
    {
      id: 2,
      question: '付费之前可以试用吗？',
      answer: '可以。免费版没有期限，团队版可以试用三十天。',
      category: '入门',
    },
    { id: 3, question: '谁能看到我们的数据？', answer: '只有贵组织中获得授权的成员。', category: '安全' },
    {
      id: 4,
      question: '如何付款？',
      answer: '通过支付宝、微信支付或银行卡按年支付。未支付的订单在十五分钟后失效。',
      category: '账单',
    },
    {
      id: 5,
      question: '订阅到期后会怎样？',
      answer: '续订之前任何人都无法登录，但不会删除任何数据。',
      category: '账单',
    },
  ],
  docs: [
    {
      id: 1,
      title: '第一步',
      description: '从空的工作区到第一个完成的任务。',
      items: [
        { path: '/docs/first-steps/invite', title: '邀请成员' },
        { path: '/docs/first-steps/project', title: '创建项目' },
        { path: '/docs/first-steps/task', title: '分配任务' },
      ],
    },
    {
      id: 2,
      title: '组织',
      description: '部门、负责人与角色。',
      items: [
        { path: '/docs/organization/departments', title: '搭建部门树' },
        { path: '/docs/organization/roles', title: '角色与权限' },
      ],
    },
    {
      id: 3,
      title: '审批',
      description: '一份申请的流转过程。',
      items: [
        { path: '/docs/approvals/submit', title: '提交申请' },
        { path: '/docs/approvals/decide', title: '处理申请' },
      ],
    },
    {
      id: 4,
      title: '面向开发者',
      description: '页面背后的接口。',
      items: [
        { path: '/docs/developers/sign-in', title: '令牌' },
        { path: '/docs/developers/errors', title: '错误及其处理' },
      ],
    },
  ],
  about: {
    intro:
      'Atrium 由一个小团队打造，我们希望组织的工作有一个安静的去处。我们写下所作的决定，衡量所说的话，并回复每一条留言。',
    stats: [
      { label: '成员', value: '24' },
      { label: '时区', value: '6' },
      { label: '成立', value: '2023' },
    ],
    team: [
      { name: 'Mara Lindqvist', role: '创始人', avatar: '' },
      { name: 'Jonas Weber', role: '产品', avatar: '' },
      { name: 'Chen Rui', role: '研发', avatar: '' },
      { name: 'Priya Raman', role: '安全', avatar: '' },
      { name: 'Amina Diallo', role: '客户服务', avatar: '' },
    ],
    milestones: [
      { date: '2023-04', title: '成立', description: '三个人，一块白板，没有客户。' },
      { date: '2024-02', title: '第一位客户', description: '一家有两百个任务的自行车制造商。' },
      { date: '2025-05', title: '审批', description: '第一个由他人提出的功能。' },
      { date: '2026-03', title: '门户', description: '各组织开始向公众展示自己。' },
    ],
  },
}
